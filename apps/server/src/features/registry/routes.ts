import { registryEndpoints } from '@cannery/contract';
import type { AppContext } from '../../context.ts';
import { type Route, route } from '../../http/route.ts';
import { addRegistry, updateRegistry } from './save-registry.ts';
import { compareVersions, readRegistry, readVersion } from './read-registry.ts';
import { pageOfRegistries } from './page-of-registries.ts';
import { deleteRegistry, listRegistries, registryAnswer } from './store.ts';

/** The modules a user keeps under names. */
export function registryRoutes(ctx: AppContext): Route[] {
  return [
    route(registryEndpoints.list, async ({ user }) =>
      (await listRegistries(ctx.db, user.id)).map(registryAnswer),
    ),
    route(registryEndpoints.page, async ({ user, query }) => {
      const { rows, total, more } = await pageOfRegistries(ctx.db, user.id, query);
      return { registries: rows.map(registryAnswer), total, more };
    }),
    route(registryEndpoints.one, ({ user, params }) => readRegistry(ctx, user, { id: params.id })),
    route(registryEndpoints.module, ({ user, params }) =>
      readVersion(ctx, user, { id: params.id, version: Number(params.number) }),
    ),
    route(registryEndpoints.compare, ({ user, params, query }) =>
      compareVersions(ctx, user, { id: params.id, from: Number(query.from), to: Number(query.to) }),
    ),
    route(registryEndpoints.add, async ({ user, body, idempotencyKey: key }) => {
      const id = await addRegistry(ctx, user, { ...body, key });
      return { data: id, id };
    }),
    route(registryEndpoints.update, async ({ user, params, body, idempotencyKey: key }) => ({
      data: registryAnswer(await updateRegistry(ctx, user, { id: params.id, ...body, key })),
    })),
    route(registryEndpoints.delete, async ({ user, params }) => {
      await ctx.transact((tx) => deleteRegistry(tx, user.id, params.id));
      return { message: 'Registry deleted.' };
    }),
  ];
}
