import { apiTokenEndpoints } from '@cannery/contract';
import type { AppContext } from '../../context.ts';
import { notFound } from '../../errors.ts';
import { type Route, route } from '../../http/route.ts';
import { createApiToken } from './create-api-token.ts';
import { deleteApiToken, listApiTokens } from './store.ts';

/** The user's API tokens. No token makes these calls: a token cannot make itself more. */
export function apiTokenRoutes(ctx: AppContext): Route[] {
  return [
    route(apiTokenEndpoints.list, ({ user }) => listApiTokens(ctx.db, user.id)),
    route(apiTokenEndpoints.create, ({ user, body }) => createApiToken(ctx, user, body)),
    route(apiTokenEndpoints.delete, async ({ user, params }) => {
      const deleted = await ctx.transact((tx) => deleteApiToken(tx, { userId: user.id, id: params.id }));
      if (!deleted) throw notFound('API token');
      return { message: 'The API token is deleted.' };
    }),
  ];
}
