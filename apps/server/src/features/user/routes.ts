import { userEndpoints } from '@cannery/contract';
import type { AppContext } from '../../context.ts';
import { AppError } from '../../errors.ts';
import { type Route, route } from '../../http/route.ts';
import { avatarUrl } from './avatar-routes.ts';
import { findUser } from './store.ts';

export function userRoutes(ctx: AppContext): Route[] {
  return [
    route(userEndpoints.profile, async ({ user }) => {
      const found = await findUser(ctx.db, user.id);
      if (found === undefined) throw new AppError('unauthenticated', 'This account does not exist any more.');
      return { ...found, avatar: avatarUrl(ctx, found) };
    }),
  ];
}
