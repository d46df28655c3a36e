import type { ProductAnswer, ProductFields } from '@cannery/contract';
import type { AppContext } from '../../context.ts';
import type { Actor } from '../../http/actor.ts';
import { hasShelf, insertProduct, openShelf } from './store.ts';

/** What a user's shelf holds at first, in no order of price. */
const sampleProducts: readonly ProductFields[] = [
  { img: 'peaches', title: 'Peach halves', subtitle: 'In light syrup, 820 g', price: 3.49, rating: 4.6 },
  { img: 'tomatoes', title: 'Plum tomatoes', subtitle: 'Peeled, in their juice', price: 1.19, rating: 4.8 },
  { img: 'sardines', title: 'Sardines', subtitle: 'In olive oil, with lemon', price: 2.95, rating: 4.3 },
  { img: 'beans', title: 'White beans', subtitle: 'Ready to eat', price: 0.99, rating: 4.1 },
  { img: 'corn', title: 'Sweetcorn', subtitle: 'Without added sugar', price: 1.29, rating: 3.9 },
  { img: 'olives', title: 'Green olives', subtitle: 'Pitted, from Jaén', price: 2.4, rating: 4.4 },
  { img: 'pears', title: 'Pears in red wine', subtitle: 'With cinnamon', price: 5.8, rating: 4.7 },
  { img: 'mushrooms', title: 'Mushrooms', subtitle: 'Sliced, first choice', price: 1.75, rating: 3.6 },
  { img: 'cherries', title: 'Sour cherries', subtitle: 'Pitted, for cakes', price: 3.1, rating: 4.2 },
  { img: 'soup', title: 'Pea soup', subtitle: 'With mint, for two', price: 2.85, rating: 3.8 },
  { img: 'honey', title: 'Lime blossom honey', subtitle: 'From one meadow', price: 7.9, rating: 4.9 },
  {
    img: 'pickles',
    title: 'Pickled gherkins',
    subtitle: 'With dill and mustard seed',
    price: 2.1,
    rating: 4,
  },
];

/**
 * Puts the sample products on the shelf of a user who has never had one. Whoever opens the shelf fills it, in one
 * transaction: of two calls at the same time the other waits and finds it full.
 */
export async function fillShelf(ctx: AppContext, user: Actor): Promise<void> {
  if (await hasShelf(ctx.db, user.id)) return;
  await ctx.transact(async (tx) => {
    if (!(await openShelf(tx, user.id))) return;
    for (const fields of sampleProducts) await insertProduct(tx, user.id, fields);
  });
}

/** Adds a sample product. @throws AppError quota_reached */
export async function addProduct(
  ctx: AppContext,
  user: Actor,
  fields: ProductFields,
): Promise<ProductAnswer> {
  await fillShelf(ctx, user);
  return ctx.transact((tx) => insertProduct(tx, user.id, fields));
}
