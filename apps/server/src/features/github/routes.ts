import { githubEndpoints } from '@cannery/contract';
import type { AppContext } from '../../context.ts';
import { type Route, route } from '../../http/route.ts';
import { beginConnection, finishConnection } from './connect-account.ts';

/** The way of a user to GitHub and back. */
export function githubRoutes(ctx: AppContext): Route[] {
  return [
    route(githubEndpoints.begin, ({ user, token, body }) =>
      beginConnection(ctx, user, { token, deployType: body.deploy_type, way: body.way }),
    ),
    route(githubEndpoints.finish, ({ user, token, body }) =>
      finishConnection(ctx, user, {
        token,
        code: body.code,
        state: body.state,
        installationId: body.installation_id,
      }),
    ),
  ];
}
