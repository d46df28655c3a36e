import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { isLocalAddress } from '../../config/config.ts';
import type { AppContext } from '../../context.ts';
import { AppError, errorAnswer } from '../../errors.ts';
import { type EmbeddedProvider, PROVIDER_PATH, SIGN_IN_PATH } from '../../identity/embedded-provider.ts';
import { signInPage } from '../../identity/sign-in-page.ts';
import { typefaceOf } from '../../identity/sign-in-style.ts';
import { nameProblem, tidyName } from '../../identity/names.ts';
import { recentNames } from '../user/store.ts';

/** Most names the sign-in page offers to pick from. */
const OFFERED_NAMES = 20;

type PageRequest = FastifyRequest<{ Params: { uid: string } }>;

/**
 * Puts the embedded provider and its page into the server.
 * @param options.consoleDir folder of the built console, whose typeface the page takes
 */
export async function addEmbeddedSignIn(
  app: FastifyInstance,
  ctx: AppContext,
  { provider, consoleDir }: { provider: EmbeddedProvider; consoleDir: string },
): Promise<void> {
  // Before anything reads the body: the provider reads it from the socket.
  app.addHook('onRequest', async ({ raw }, reply) => {
    const below = belowProvider(raw.url ?? '');
    if (below === undefined) return;
    reply.hijack();
    if (isLocalAddress(`http://${raw.headers.host}`)) {
      // The provider finds by both where it is mounted.
      provider.handle(Object.assign(raw, { originalUrl: raw.url, url: below }), reply.raw);
      return;
    }
    ctx.security.note('sign_in_refused', { provider: 'embedded' });
    const { status, body } = errorAnswer(wrongName(ctx));
    reply.raw.writeHead(status, { 'content-type': 'application/json; charset=utf-8' });
    reply.raw.end(JSON.stringify(body));
  });

  await app.register(async (scope) => {
    scope.addContentTypeParser<string>(
      'application/x-www-form-urlencoded',
      { parseAs: 'string', bodyLimit: 4096 },
      (_request, text, done) => done(null, new URLSearchParams(text)),
    );
    scope.addHook('onRequest', async (request) => {
      if (isLocalAddress(`http://${request.headers.host}`)) return;
      ctx.security.note('sign_in_refused', { provider: 'embedded' });
      throw wrongName(ctx);
    });
    const config = { rateLimit: { max: ctx.config.calls.signInsPerMinute, timeWindow: '1 minute' } };

    const show = async (
      request: PageRequest,
      reply: FastifyReply,
      login: string,
      problem: string | undefined,
    ) => {
      // The provider's own cookie says whose sign-in this is; without it there is nothing to show.
      if (!(await provider.isWaiting(request.raw, reply.raw, request.params.uid)))
        return startAgain(ctx, reply);
      const policy = String(reply.raw.getHeader('content-security-policy'));
      const page = signInPage({
        action: `${SIGN_IN_PATH}/${encodeURIComponent(request.params.uid)}`,
        login,
        problem,
        knownNames: await recentNames(ctx.db, OFFERED_NAMES),
        typeface: await typefaceOf(consoleDir),
      });
      return reply
        .code(problem === undefined ? 200 : 400)
        .header('content-security-policy', policy.replace("style-src 'self'", `style-src ${page.styleHash}`))
        .header('cache-control', 'no-store')
        .type('text/html; charset=utf-8')
        .send(page.html);
    };

    const finish = async (request: PageRequest, reply: FastifyReply, name: string | undefined) => {
      if (!(await provider.isWaiting(request.raw, reply.raw, request.params.uid)))
        return startAgain(ctx, reply);
      return reply.redirect(await provider.finish(request.raw, reply.raw, name), 303);
    };

    scope.get<{ Params: { uid: string } }>(`${SIGN_IN_PATH}/:uid`, { config }, (request, reply) =>
      show(request, reply, '', undefined),
    );
    scope.post<{ Params: { uid: string } }>(`${SIGN_IN_PATH}/:uid`, { config }, (request, reply) => {
      const login = request.body instanceof URLSearchParams ? tidyName(request.body.get('login') ?? '') : '';
      const problem = nameProblem(login);
      if (problem === undefined) return finish(request, reply, login);
      ctx.security.note('input_refused', { code: 'invalid_input', route: `${SIGN_IN_PATH}/:uid` });
      return show(request, reply, login, problem);
    });
    scope.post<{ Params: { uid: string } }>(`${SIGN_IN_PATH}/:uid/cancel`, { config }, (request, reply) =>
      finish(request, reply, undefined),
    );
  });
}

/** The address inside the provider, such as `/auth?…`; undefined for what is not below it. */
function belowProvider(url: string): string | undefined {
  const path = url.split('?', 1)[0] ?? '';
  if (path !== PROVIDER_PATH && !path.startsWith(`${PROVIDER_PATH}/`)) return undefined;
  return `${path.slice(PROVIDER_PATH.length).replace(/\/$/, '') || '/'}${url.slice(path.length)}`;
}

/**
 * A page of another site that has made its own name lead to this computer (DNS rebinding) is the only caller with
 * another name: the sign-in asks for no password, so it must not answer there.
 */
function wrongName(ctx: AppContext): AppError {
  return new AppError('invalid_input', `The sign-in answers at ${ctx.addresses.publicUrl} only.`);
}

function startAgain(ctx: AppContext, reply: FastifyReply): FastifyReply {
  ctx.security.note('sign_in_refused', { provider: 'embedded' });
  const error = 'This sign-in was not started in this browser, or it took too long. Please sign in again.';
  return reply.redirect(`/login?${new URLSearchParams({ error })}`, 303);
}
