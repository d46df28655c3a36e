import { MAX_PRODUCTS, type ProductAnswer, type ProductFields } from '@cannery/contract';
import type { AppContext } from '../../context.ts';
import { AppError } from '../../errors.ts';
import type { Actor } from '../../http/actor.ts';
import { fillShelf } from './fill-shelf.ts';
import { countProducts, insertProduct, lockShelf } from './store.ts';

/** Adds a sample product. @throws AppError quota_reached */
export async function addProduct(
  ctx: AppContext,
  user: Actor,
  fields: ProductFields,
): Promise<ProductAnswer> {
  await fillShelf(ctx, user);
  return ctx.transact(async (tx) => {
    await lockShelf(tx, user.id);
    if ((await countProducts(tx, user.id)) >= MAX_PRODUCTS) {
      throw new AppError('quota_reached', `You can have ${MAX_PRODUCTS} sample products. Delete one first.`);
    }
    return insertProduct(tx, user.id, fields);
  });
}
