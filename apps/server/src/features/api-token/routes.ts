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
    route(apiTokenEndpoints.create, async ({ user, body }) => {
      const created = await createApiToken(ctx, user, body);
      ctx.security.note('api_token_created', { token_id: created.id });
      return created;
    }),
    route(apiTokenEndpoints.delete, async ({ user, params }) => {
      const deleted = await ctx.transact((tx) => deleteApiToken(tx, { userId: user.id, id: params.id }));
      if (!deleted) throw notFound('API token');
      ctx.security.note('api_token_deleted', { token_id: params.id });
      return { message: 'The API token is deleted.' };
    }),
  ];
}
