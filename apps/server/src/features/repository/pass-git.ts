import type { Readable } from 'node:stream';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { AppContext } from '../../context.ts';
import { PUSH_LIMIT } from '../../git/repository/repository-folder.ts';
import { type DoorClient, PASSED_ON } from '../../git/remote/door-client.ts';
import { callerGone } from '../../http/limits/sender.ts';
import { type Caller, findCaller } from './git-caller.ts';
import { addGitAddresses, askForToken, PUSH_MS } from './git-routes.ts';
import { callerOf } from './lfs-caller.ts';
import { endBody, refuseInLfsForm } from './lfs-http.ts';
import { noteUseOf } from './token-store.ts';

/** Headers of an answer that go back. */
const PASSED_BACK = [
  'accept-ranges',
  'cache-control',
  'content-length',
  'content-range',
  'content-type',
  'expires',
  'pragma',
  'retry-after',
];

type Method = 'GET' | 'POST' | 'PUT';

/**
 * The addresses of git and of Git LFS at a process that has no repositories. It looks at the access token, and passes the request on to the git
 * role that has those of the user.
 */
export async function addPassedGitRoutes(
  app: FastifyInstance,
  ctx: AppContext,
  door: DoorClient,
): Promise<void> {
  await addGitAddresses(app, ctx, async (request, reply) => {
    const caller = await findCaller(ctx, request);
    return typeof caller === 'string'
      ? askForToken(ctx, reply, caller)
      : pass(ctx, door, caller, request, reply);
  });
  await app.register(async (scope) => {
    refuseInLfsForm(scope, ctx);
    scope.addHook('onRequest', async (_request, reply) => endBody(reply));
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser('*', { bodyLimit: PUSH_LIMIT }, (_request, payload, done) =>
      done(null, payload),
    );
    const lookUp = { ...ctx, findCaller: (request: FastifyRequest) => findCaller(ctx, request) };
    scope.route({
      method: ['GET', 'POST', 'PUT'],
      url: '/:owner/:repo/info/lfs/*',
      exposeHeadRoute: false,
      bodyLimit: PUSH_LIMIT,
      config: { bodyMs: PUSH_MS },
      handler: async (request, reply) =>
        pass(ctx, door, await callerOf(lookUp, request, reply), request, reply),
    });
  });
}

async function pass(
  ctx: AppContext,
  door: DoorClient,
  { user, credential }: Caller,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  // No credential is among them: who asks is in the token.
  const headers = Object.fromEntries(
    PASSED_ON.flatMap((name) => {
      const value = request.headers[name];
      return typeof value === 'string' ? [[name, value]] : [];
    }),
  );
  // That of a GET is nobody's.
  const stream = (request.body as Readable | null | undefined) ?? null;
  const answer = await door.pass(user.id, {
    method: request.method as Method,
    path: request.raw.url ?? '',
    headers,
    body: stream && { stream, length: request.headers['content-length'] },
    signal: callerGone(reply),
  });
  const status = answer.statusCode ?? 502;
  if (status < 400) await noteUseOf(ctx, credential);
  for (const name of PASSED_BACK) {
    const value = answer.headers[name];
    if (value !== undefined) reply.header(name, value);
  }
  return reply.code(status).send(answer);
}
