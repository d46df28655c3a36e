import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import type { AppContext } from '../../context.ts';
import { AppError } from '../../errors.ts';
import { userTenant } from '../../fairness/callers.ts';
import { runHttpBackend } from '../../git/host/http-backend.ts';
import type { PushWatcher } from '../../git/host/push.ts';
import { isOid } from '../../git/lfs/lfs-object.ts';
import { openObject } from '../../git/lfs/lfs-store.ts';
import { bodyHash, type Claims, DOOR, type InternalTokens } from '../../git/remote/internal-token.ts';
import { CALL_BYTES, callSchema, operations } from '../../git/remote/operations.ts';
import { REFUSED, refusalText } from '../../git/remote/refusals.ts';
import type { GitUser } from '../../git/repository/git-host.ts';
import { methodOf, routeOf } from '../../http/watch-requests.ts';
import { knowUser } from '../../log/request-context.ts';
import { toAppError } from '../../http/handle-errors.ts';
import { deploysOfRepositories } from './change-repository.ts';
import type { HostedContext } from './git-caller.ts';
import { addGitRoutes } from './git-routes.ts';
import { addLfsRoutes } from './lfs-routes.ts';

/** What a git role knows of a request that comes through its door. */
interface Admitted {
  readonly claims: Claims;
  readonly user: GitUser;
}

interface DoorOptions {
  readonly tokens: InternalTokens;
  /** The folder of repositories that this process has. */
  readonly lease: { readonly folder: string; holds(): boolean };
  readonly watcher: PushWatcher;
}

const UNKNOWN = 404;
const AWAY = 503;

const lfsSchema = z.strictObject({
  repository: z.string().max(100),
  oid: z.string().refine(isOid),
  size: z.number().int().nonnegative(),
});

/**
 * The internal door of a git role: what other roles ask of it for a user, each request with a token that was made for it (decision
 * 0132). Without one the address does not exist; no credential of a user opens it, and no token opens anything else.
 */
export async function addGitDoor(
  app: FastifyInstance,
  ctx: Omit<HostedContext, 'findCaller'>,
  { tokens, lease, watcher }: DoorOptions,
): Promise<void> {
  const admitted = new WeakMap<FastifyRequest, Admitted>();
  const admittedAs = (request: FastifyRequest): Admitted => {
    const known = admitted.get(request);
    if (known === undefined) throw new Error('A request came through the door without a token.');
    return known;
  };
  const hosted: HostedContext = {
    ...ctx,
    findCaller: async (request) => {
      const { user } = admittedAs(request);
      return { user, tenant: userTenant(user.id), credential: null };
    },
  };

  await app.register(
    async (door) => {
      door.addHook('onRequest', async (request, reply) => {
        const { method, url } = request.raw;
        const claims = tokens.claimsOf(request.headers.authorization, {
          method: method ?? '',
          path: url ?? '',
        });
        if (claims === undefined) {
          ctx.security.note('door_refused', { method: methodOf(request), route: routeOf(request) });
          return reply.code(UNKNOWN).send({ message: 'There is nothing at this address.' });
        }
        if (claims.folder !== lease.folder || !lease.holds())
          return reply.code(AWAY).send({ message: 'This process does not have the folder.' });
        const user = await ctx.db
          .selectFrom('users')
          .select(['id', 'username'])
          .where('id', '=', claims.user)
          .executeTakeFirst();
        if (user === undefined) return reply.code(UNKNOWN).send({ message: 'There is no such user.' });
        knowUser(user.id);
        admitted.set(request, { claims, user });
        return undefined;
      });
      await addCalls(door, hosted, admittedAs);
      addFetch(door, hosted, admittedAs);
      await door.register(
        async (passed) => {
          await addGitRoutes(passed, hosted, watcher);
          await addLfsRoutes(passed, hosted);
        },
        { prefix: '/for' },
      );
    },
    { prefix: DOOR },
  );
}

/** Requests that are one text each, which their tokens name by its hash. */
async function addCalls(
  door: FastifyInstance,
  ctx: HostedContext,
  admittedAs: (request: FastifyRequest) => Admitted,
): Promise<void> {
  await door.register(async (scope) => {
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser(
      'application/json',
      { parseAs: 'buffer', bodyLimit: CALL_BYTES },
      (_request, body, done) => done(null, body),
    );
    const bodyOf = (request: FastifyRequest): unknown => {
      const { claims } = admittedAs(request);
      const body = request.body as Buffer;
      if (bodyHash(body) !== claims.body) throw new AppError('not_found', 'The token is for another body.');
      return JSON.parse(body.toString('utf8'));
    };
    scope.post('/call', async (request, reply) => {
      const { user } = admittedAs(request);
      const { operation, input } = callSchema.parse(bodyOf(request));
      try {
        const watcher = deploysOfRepositories(ctx);
        const answer = await operations[operation].run(ctx.git, user, input, watcher);
        return await reply.type('application/json').send(JSON.stringify(answer));
      } catch (error) {
        return refused(ctx, reply, error, namesIn(input));
      }
    });
    scope.post('/lfs', async (request, reply) => {
      const { user } = admittedAs(request);
      const { repository: id, ...object } = lfsSchema.parse(bodyOf(request));
      try {
        const { gitDir } = await ctx.git.identify({ owner: '', name: '', id }, user);
        const file = await openObject(gitDir, object);
        if (file === null) return await reply.code(204).send();
        reply.type('application/octet-stream').header('content-length', object.size);
        // Of an empty file there is no last byte, and nothing is to be read.
        return await reply.send(file.createReadStream({ start: 0, end: Math.max(0, object.size - 1) }));
      } catch (error) {
        return refused(ctx, reply, error, { owner: '', name: '' });
      }
    });
  });
}

/** git of another role reads a repository by its id, which stays where it is meanwhile. */
function addFetch(
  door: FastifyInstance,
  ctx: HostedContext,
  admittedAs: (request: FastifyRequest) => Admitted,
): void {
  const serve = async (
    request: FastifyRequest,
    reply: FastifyReply,
    service: { path: 'info/refs'; service: 'git-upload-pack' } | { path: 'git-upload-pack' },
  ): Promise<FastifyReply> => {
    const { user } = admittedAs(request);
    const { id } = request.params as { id: string };
    const answered = Promise.withResolvers<FastifyReply>();
    const read = ctx.git.reading({ owner: '', name: '', id }, user, async () => {
      const { owner, name, gitDir } = await ctx.git.identify({ owner: '', name: '', id }, user);
      const ended = Promise.withResolvers<void>();
      const answer = await runHttpBackend({
        root: ctx.git.root,
        repository: { owner, name, gitDir },
        log: ctx.log,
        service,
        username: user.username,
        headers: request.headers,
        body: service.path === 'info/refs' ? null : request.raw,
        room: FETCH_BYTES,
        connection: request.raw.socket,
        takesLines: false,
        onPushed: async () => [],
        onEnd: ended.resolve,
      });
      for (const [header, value] of answer.headers) reply.header(header, value);
      answered.resolve(reply.code(answer.status).send(answer.body));
      await ended.promise;
    });
    read.catch(answered.reject);
    return answered.promise;
  };
  void door.register(async (scope) => {
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser('*', (_request, payload, done) => done(null, payload));
    scope.get('/fetch/:id/info/refs', (request, reply) =>
      serve(request, reply, { path: 'info/refs', service: 'git-upload-pack' }),
    );
    scope.post('/fetch/:id/git-upload-pack', (request, reply) =>
      serve(request, reply, { path: 'git-upload-pack' }),
    );
  });
}

/** Bytes of what a fetch asks for: names of objects. */
const FETCH_BYTES = 16 * 1024 * 1024;

/** Owner and name in the input of an operation, for what is said of a repository that is gone. */
function namesIn(input: unknown): { owner: string; name: string } {
  const named = z.object({ owner: z.string(), name: z.string() }).safeParse(input);
  return named.success ? named.data : { owner: '', name: '' };
}

/** What the user may see goes on to the role that asked; anything else is an error of this process, which its log tells. */
function refused(
  ctx: Pick<AppContext, 'log'>,
  reply: FastifyReply,
  error: unknown,
  asked: { owner: string; name: string },
): FastifyReply {
  const known = toAppError(error);
  if (known === undefined) ctx.log.error({ err: error }, 'A call of another role failed unexpectedly');
  const told = known ?? new AppError('internal', 'Something went wrong on the server.');
  return reply.code(REFUSED).type('application/json').send(refusalText(told, asked));
}
