import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { AppContext } from '../../context.ts';
import { AppError } from '../../errors.ts';
import { CALLBACK_PATH, type OidcClient } from '../../identity/oidc-client.ts';
import { signInUser } from '../user/sign-in-user.ts';
import { ForeignSignInError, noteSignInError, providerOf } from './note-sign-in.ts';
import { signInCookies } from './cookies.ts';
import { newSecret } from '../../secrets.ts';
import { issueSignInToken, keepAttempt, takeAttempt } from './sign-in-store.ts';

/** Both places of decision OP-01. */
const START_PATHS = ['/api/auth/google', '/auth/google'];

/** The browser's way to the identity provider and back to /login. */
export function addSignInRoutes(app: FastifyInstance, ctx: AppContext, client: OidcClient): void {
  const { publicUrl } = ctx.addresses;
  const publicHost = new URL(publicUrl).host;
  const config = { rateLimit: { max: ctx.config.calls.signInsPerMinute, timeWindow: '1 minute' } };
  const cookies = signInCookies(publicUrl.startsWith('https:'));

  const toLogin = (reply: FastifyReply, query: Record<string, string>) =>
    reply
      .header('cache-control', 'no-store')
      .redirect(`${ctx.config.consoleUrl ?? publicUrl}/login?${new URLSearchParams(query)}`, 302);

  /** A failed sign-in ends on the sign-in page with a plain sentence, never on a separate page. */
  const failing = async (
    { request, reply }: { request: FastifyRequest; reply: FastifyReply },
    work: () => Promise<unknown>,
  ): Promise<unknown> => {
    const { ip: address } = request;
    try {
      return await work();
    } catch (error) {
      noteSignInError(ctx, providerOf(ctx), error);
      if (!(error instanceof AppError)) ctx.log.error({ err: error }, 'A sign-in failed unexpectedly');
      else ctx.log.info({ err: error.cause, reason: error.message, address }, 'A sign-in was refused');
      const sentence = error instanceof AppError ? error.message : 'The sign-in failed. Please try again.';
      return toLogin(reply, { error: sentence });
    }
  };

  for (const path of START_PATHS) {
    app.get(path, { config }, (request, reply) => {
      // The cookie must be set on the host that the identity provider sends the browser back to.
      if (request.host !== publicHost) return reply.redirect(`${publicUrl}${START_PATHS[0]}/`, 302);
      return failing({ request, reply }, async () => {
        const { url, attempt } = await client.begin();
        // A name that somebody else may have set or read before would bind the sign-in to them.
        const browser = newSecret();
        await ctx.transact((tx) => keepAttempt(tx, { ...attempt, browser }));
        return reply
          .header('set-cookie', cookies.begun(browser))
          .header('cache-control', 'no-store')
          .redirect(url, 302);
      });
    });
  }

  app.get(CALLBACK_PATH, { config }, (request, reply) =>
    failing({ request, reply }, async () => {
      const query = request.url.split('?')[1] ?? '';
      const state = new URLSearchParams(query).get('state');
      const browser = cookies.browserOf(request.cookies);
      const kept =
        state === null || browser === undefined
          ? undefined
          : await ctx.transact((tx) => takeAttempt(tx, { state, browser }));
      if (kept === undefined || state === null || browser === undefined) {
        throw new ForeignSignInError('This sign-in was not started in this browser, or it took too long.');
      }
      const identity = await client.finish(query, { state, ...kept });
      const token = await ctx.transact(async (tx) => {
        const userId = await signInUser(tx, identity, { openingBalance: ctx.config.openingBalance });
        return issueSignInToken(tx, { userId, browser });
      });
      return toLogin(reply, { token });
    }),
  );
}
