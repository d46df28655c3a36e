import { sessionEndpoints } from '@cannery/contract';
import type { AppContext } from '../../context.ts';
import { AppError } from '../../errors.ts';
import { publicRoute, type Route } from '../../http/route.ts';
import { SESSION_MS, closeSession, findActor, openSession, useSignInToken } from './store.ts';

const COOKIE = 'token';

/** The cookie of decision OP-05. No API call reads it, only the repository pages, which a browser opens by address. */
function cookie(value: string, maxAgeSeconds: number, secure: boolean): string {
  return `${COOKIE}=${value}; Path=/; HttpOnly; SameSite=Lax; Max-Age=${maxAgeSeconds}${secure ? '; Secure' : ''}`;
}

export function sessionRoutes(ctx: AppContext): Route[] {
  const secure = ctx.addresses.publicUrl.startsWith('https:');
  const withCookie = (token: string) => ({
    body: { token },
    headers: { 'set-cookie': cookie(token, SESSION_MS / 1000, secure) },
  });
  return [
    publicRoute(
      sessionEndpoints.exchange,
      async ({ body }) => {
        if ((await findActor(ctx.db, body.token)) !== undefined) return withCookie(body.token);
        const bearer = await ctx.transact(async (tx) => {
          const found = await useSignInToken(tx, body.token);
          return found === undefined ? undefined : openSession(tx, found.userId);
        });
        if (bearer === undefined) {
          throw new AppError('sign_in_failed', 'This sign-in link is not valid any more.');
        }
        return withCookie(bearer);
      },
      { callsPerMinute: 300 },
    ),
    // Signing out of a session that is already over is no error: the cookie goes in any case.
    {
      endpoint: { ...sessionEndpoints.signOut, signedIn: false },
      handle: async ({ token }) => {
        if (token !== undefined) await ctx.transact((tx) => closeSession(tx, token));
        return {
          body: { message: 'Signed out.' },
          headers: { 'set-cookie': cookie('', 0, secure) },
        };
      },
    },
  ];
}
