import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { AppContext } from '../../context.ts';
import { AppError } from '../../errors.ts';
import { CALLBACK_PATH, type OidcClient } from '../../identity/oidc-client.ts';
import { signInUser } from '../user/sign-in-user.ts';
import { newSecret } from './secrets.ts';
import { ATTEMPT_MS, issueSignInToken, keepAttempt, takeAttempt } from './store.ts';

/** Both places of decision OP-01. */
const START_PATHS = ['/api/auth/google', '/auth/google'];
const BROWSER_COOKIE = 'sign-in';
/** Starts and returns a minute and address. */
const CALLS_PER_MINUTE = 300;

/** The browser's way to the identity provider and back to /login. */
export function addSignInRoutes(app: FastifyInstance, ctx: AppContext, client: OidcClient): void {
  const { publicUrl } = ctx.addresses;
  const publicHost = new URL(publicUrl).host;
  const config = { rateLimit: { max: CALLS_PER_MINUTE, timeWindow: '1 minute' } };
  const cookieOptions = {
    path: '/',
    httpOnly: true,
    sameSite: 'lax',
    secure: publicUrl.startsWith('https:'),
  } as const;

  const toLogin = (reply: FastifyReply, query: Record<string, string>) =>
    reply
      .header('cache-control', 'no-store')
      .redirect(`${publicUrl}/login?${new URLSearchParams(query)}`, 302);

  /** A failed sign-in ends on the sign-in page with a plain sentence, never on a page of its own. */
  const failing = async (reply: FastifyReply, work: () => Promise<unknown>): Promise<unknown> => {
    try {
      return await work();
    } catch (error) {
      if (!(error instanceof AppError)) ctx.log.error({ err: error }, 'A sign-in failed unexpectedly');
      else if (error.cause !== undefined) ctx.log.info({ err: error.cause }, 'A sign-in was refused');
      const sentence = error instanceof AppError ? error.message : 'The sign-in failed. Please try again.';
      return toLogin(reply, { error: sentence });
    }
  };

  for (const path of START_PATHS) {
    app.get(path, { config }, (request, reply) => {
      // The cookie must be set on the host that the identity provider sends the browser back to.
      if (request.host !== publicHost) return reply.redirect(`${publicUrl}${START_PATHS[0]}/`, 302);
      return failing(reply, async () => {
        const { url, attempt } = await client.begin();
        const browser = browserOf(request) ?? newSecret();
        await ctx.transact((tx) => keepAttempt(tx, { ...attempt, browser }));
        return reply
          .setCookie(BROWSER_COOKIE, browser, { ...cookieOptions, maxAge: ATTEMPT_MS / 1000 })
          .header('cache-control', 'no-store')
          .redirect(url, 302);
      });
    });
  }

  app.get(CALLBACK_PATH, { config }, (request, reply) =>
    failing(reply, async () => {
      const query = request.url.split('?')[1] ?? '';
      const state = new URLSearchParams(query).get('state');
      const browser = browserOf(request);
      const kept =
        state === null || browser === undefined
          ? undefined
          : await ctx.transact((tx) => takeAttempt(tx, { state, browser }));
      if (kept === undefined || state === null) {
        throw new AppError(
          'sign_in_failed',
          'This sign-in was not begun in this browser, or it took too long.',
        );
      }
      const identity = await client.finish(query, { state, ...kept });
      const token = await ctx.transact(async (tx) => {
        const userId = await signInUser(tx, identity, { openingBalance: ctx.config.openingBalance });
        return issueSignInToken(tx, userId);
      });
      return toLogin(reply, { token });
    }),
  );
}

function browserOf(request: FastifyRequest): string | undefined {
  const value = request.cookies[BROWSER_COOKIE];
  return value !== undefined && /^[\w-]{43}$/.test(value) ? value : undefined;
}
