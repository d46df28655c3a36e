import { sessionEndpoints } from '@cannery/contract';
import type { AppContext } from '../../context.ts';
import { notFound } from '../../errors.ts';
import { publicRoute, type OpenCall, type Route, route } from '../../http/route.ts';
import { authenticate } from './authenticate.ts';
import { type SignInCookies, signInCookies } from './cookies.ts';
import { deviceOf } from './device.ts';
import { ForeignSignInError, notingSignIn, providerOf } from './note-sign-in.ts';
import { useSignInToken } from './sign-in-store.ts';
import { closeSession, endAllSessions, endSession, listSessions, openSession } from './store.ts';

export function sessionRoutes(ctx: AppContext): Route[] {
  const cookies = signInCookies(ctx.addresses.publicUrl.startsWith('https:'));
  return [
    publicRoute(
      sessionEndpoints.exchange,
      async (call) => {
        const { token } = call.body;
        // Whoever has a bearer token is no proof of who sits at the browser: no session begins, and the console asks.
        if ((await authenticate(ctx, token)) !== undefined) return { body: { token } };
        const { bearer } = await notingSignIn(ctx, providerOf(ctx), () => beginSession(ctx, call, cookies));
        return { body: { token: bearer }, headers: { 'set-cookie': [cookies.marked, cookies.ended] } };
      },
      { callsPerMinute: ctx.config.calls.signInsPerMinute },
    ),
    // Signing out of a session that is already over is no error: the cookie goes in any case.
    {
      endpoint: { ...sessionEndpoints.signOut, signedIn: false },
      handle: async ({ token }) => {
        const user = token && (await ctx.transact((tx) => closeSession(tx, token)));
        if (user !== undefined) ctx.security.note('sign_out', { user });
        return { body: { message: 'Signed out.' }, headers: { 'set-cookie': cookies.unmarked } };
      },
    },
    route(sessionEndpoints.list, ({ user, token }) =>
      listSessions(ctx.db, { userId: user.id, token, idleMs: ctx.config.sessionIdleMs }),
    ),
    route(sessionEndpoints.end, async ({ user, params }) => {
      const ended = await ctx.transact((tx) => endSession(tx, { userId: user.id, id: params.id }));
      if (!ended) throw notFound('Session');
      ctx.security.note('session_ended', { sessions: 'one' });
      return { message: 'The session has ended.' };
    }),
    route(sessionEndpoints.endAll, async ({ user }) => {
      await ctx.transact((tx) => endAllSessions(tx, user.id));
      ctx.security.note('session_ended', { sessions: 'all' });
      return { message: 'Signed out everywhere.' };
    }),
  ];
}

/** A new session for the single-use token of a sign-in that this very browser began. @returns its bearer token, and whose it is */
async function beginSession(
  ctx: AppContext,
  { body, cookies, userAgent }: OpenCall<typeof sessionEndpoints.exchange>,
  signIn: SignInCookies,
): Promise<{ bearer: string; userId: string }> {
  const browser = signIn.browserOf(cookies);
  const session = await ctx.transact(async (tx) => {
    const found =
      browser === undefined ? undefined : await useSignInToken(tx, { token: body.token, browser });
    if (found === undefined) return undefined;
    const { userId } = found;
    return { userId, bearer: await openSession(tx, { userId, device: deviceOf(userAgent) }) };
  });
  if (session !== undefined) return session;
  throw new ForeignSignInError(
    'This sign-in link has been used, is too old, or was made in another browser.',
  );
}
