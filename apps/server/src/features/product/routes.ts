import { productEndpoints } from '@cannery/contract';
import type { AppContext } from '../../context.ts';
import { type Route, route } from '../../http/route.ts';
import { addProduct, fillShelf } from './shelf.ts';
import { deleteProduct, listProducts, saveProduct } from './store.ts';

/** The sample products of the demo. */
export function productRoutes(ctx: AppContext): Route[] {
  return [
    route(productEndpoints.list, async ({ user }) => {
      await fillShelf(ctx, user);
      return listProducts(ctx.db, user.id);
    }),
    route(productEndpoints.create, ({ user, body }) => addProduct(ctx, user, body)),
    route(productEndpoints.update, ({ user, params, body }) =>
      ctx.transact((tx) => saveProduct(tx, user.id, { id: params.id, ...body })),
    ),
    route(productEndpoints.delete, async ({ user, params }) => {
      await ctx.transact((tx) => deleteProduct(tx, user.id, params.id));
      return { message: 'Product deleted.' };
    }),
  ];
}
