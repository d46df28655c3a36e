import type { AppContext } from '../../context.ts';
import type { Actor } from '../../http/actor.ts';
import { sampleProducts } from './sample-products.ts';
import { hasShelf, insertProduct, openShelf } from './store.ts';

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
