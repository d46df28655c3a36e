import type { ProductAnswer, ProductFields } from '@cannery/contract';
import type { AppContext } from '../../context.ts';
import type { Actor } from '../../http/actor.ts';
import { fillShelf } from './fill-shelf.ts';
import { insertProduct } from './store.ts';

/** Adds a sample product. @throws AppError quota_reached */
export async function addProduct(
  ctx: AppContext,
  user: Actor,
  fields: ProductFields,
): Promise<ProductAnswer> {
  await fillShelf(ctx, user);
  return ctx.transact((tx) => insertProduct(tx, user.id, fields));
}
