import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { AppContext } from '../../context.ts';
import { AppError } from '../../errors.ts';
import { userTenant } from '../../fairness/callers.ts';
import { FairSemaphore } from '../../fairness/fair-semaphore.ts';
import { TokenBuckets } from '../../fairness/token-buckets.ts';
import { watchClient } from '../../git/host/slow-client.ts';
import type { LfsObject } from '../../git/lfs/lfs-object.ts';
import type { RoomAside } from '../../git/lfs/lfs-room.ts';
import { hasObject, openObject, receiveObject, roomOf } from '../../git/lfs/lfs-store.ts';
import type { GitUser } from '../../git/repository/git-host.ts';
import { ownerOf } from '../../git/repository/names.ts';
import { type BareRepository, PUSH_LIMIT } from '../../git/repository/repository-folder.ts';
import { BodiesInFlight } from '../../http/limits/bodies-in-flight.ts';
import { basicPassword, callerGone } from '../../http/limits/sender.ts';
import { countPush, PUSH_MS, REQUESTS_PER_PUSH, repositoryFor } from './git-routes.ts';
import {
  type BatchEntry,
  type LfsBatch,
  readBatch,
  readLfsObject,
  REQUEST_BYTES,
  tooLargeText,
} from './lfs-batch.ts';
import { endBody, piecesOfBody, refuseInLfsForm, sendLfs, textOfBody } from './lfs-http.ts';
import { noteUse, userOfToken } from './token-store.ts';

/** Objects under way: each is an open file and some kilobytes. git-lfs brings and takes eight at a time. */
const TRANSFERS = { most: 64, perTenant: 8, waitingPerTenant: 64, what: 'files of Git LFS' };

const MIB = 1024 * 1024;
/** Requests that are kept until they are answered. */
const BODIES = { bytes: 16 * MIB, bytesOfSender: 2 * MIB, bytesOfPlace: 16 * MIB, bodiesOfSender: 64 };

interface RepositoryParams {
  owner: string;
  repo: string;
}

interface ObjectParams extends RepositoryParams {
  oid: string;
  size: string;
}

type Call<P = RepositoryParams> = FastifyRequest<{ Params: P }>;

/** A request whose sender is known. */
interface Caller {
  readonly user: GitUser;
  readonly tenant: string;
  readonly credential: string;
}

/**
 * Addresses of Git LFS below a repository: the batch API with the transfer 'basic'. Files are brought and fetched with the same
 * credentials as everything else of the repository, which are looked at with each of them (decision 0114).
 */
export async function addLfsRoutes(app: FastifyInstance, ctx: AppContext): Promise<void> {
  const transfers = new FairSemaphore(TRANSFERS);
  const burst = ctx.git.limits.pushesPerMinute * REQUESTS_PER_PUSH;
  const batches = new TokenBuckets({ perSecond: burst / 60, burst });
  const bodies = new BodiesInFlight(BODIES);
  const base = '/:owner/:repo/info/lfs';

  await app.register(async (scope) => {
    refuseInLfsForm(scope, ctx.log);
    scope.addHook('onRequest', async (_request, reply) => endBody(reply));
    scope.removeAllContentTypeParsers();
    // Read by the routes, bounded.
    scope.addContentTypeParser('*', { bodyLimit: PUSH_LIMIT }, (_request, payload, done) =>
      done(null, payload),
    );

    scope.route<{ Params: RepositoryParams }>({
      method: 'POST',
      url: `${base}/objects/batch`,
      handler: async (request, reply) => {
        const caller = await callerOf(ctx, request, reply);
        using taken = bodies.enter({ sender: caller.tenant, place: 'lfs' });
        const text = await textOfBody(request, REQUEST_BYTES, taken);
        return await ctx.callLimiter.handle(caller.tenant, async () => {
          const batch = readBatch(text);
          if (batch.operation === 'upload') countPush(batches, caller.tenant, ctx.git.limits);
          const repository = await named(ctx, caller, request, batch.operation === 'upload');
          await ctx.transact((tx) => noteUse(tx, caller.credential));
          return sendLfs(reply, 200, await answerOf(ctx, repository, batch));
        });
      },
    });
    scope.route<{ Params: RepositoryParams }>({
      method: 'POST',
      url: `${base}/verify`,
      handler: async (request, reply) => {
        const caller = await callerOf(ctx, request, reply);
        using taken = bodies.enter({ sender: caller.tenant, place: 'lfs' });
        const object = readLfsObject(await textOfBody(request, REQUEST_BYTES, taken));
        const { gitDir } = await named(ctx, caller, request);
        if (!(await hasObject(gitDir, object))) throw noObject(object);
        return sendLfs(reply, 200, {});
      },
    });
    scope.route<{ Params: ObjectParams }>({
      method: 'PUT',
      url: `${base}/objects/:oid/:size`,
      bodyLimit: PUSH_LIMIT,
      config: { bodyMs: PUSH_MS },
      handler: (request, reply) => take(ctx, transfers, request, reply),
    });
    scope.route<{ Params: ObjectParams }>({
      method: 'GET',
      url: `${base}/objects/:oid/:size`,
      exposeHeadRoute: false,
      handler: (request, reply) => give(ctx, transfers, request, reply),
    });
    // There are no locks; a client that learns so goes on without.
    for (const url of [`${base}/locks`, `${base}/locks/*`])
      scope.route({
        method: ['GET', 'POST'],
        url,
        exposeHeadRoute: false,
        handler: async (_request, reply) => sendLfs(reply, 404, { message: 'This host has no locks.' }),
      });
  });
}

/** @throws AppError unauthenticated, with the headers that make a client ask for a password */
async function callerOf(ctx: AppContext, request: FastifyRequest, reply: FastifyReply): Promise<Caller> {
  const credential = basicPassword(request);
  const user =
    credential === undefined
      ? undefined
      : await ctx.callLimiter.identify({ credential, address: request.ip }, (token) =>
          userOfToken(ctx.db, token),
        );
  if (credential !== undefined && user !== undefined)
    return { user, credential, tenant: userTenant(user.id) };
  const challenge = 'Basic realm="Cannery", charset="UTF-8"';
  reply.header('www-authenticate', challenge).header('lfs-authenticate', challenge);
  throw new AppError(
    'unauthenticated',
    `Use an access token as the password; create one at ${ctx.addresses.publicUrl}/ics/account.`,
  );
}

/** @throws AppError repository_not_found for one that is not there, or not the caller's */
async function named(
  ctx: AppContext,
  { user }: Caller,
  { params: { owner, repo } }: Call,
  isPush = false,
): Promise<BareRepository> {
  const repository = repo.endsWith('.git')
    ? await repositoryFor(ctx, user, owner, repo.slice(0, -'.git'.length), isPush)
    : null;
  if (repository !== null) return repository;
  throw new AppError(
    'repository_not_found',
    `Repository not found. Your repositories are at ${ctx.addresses.publicUrl}/${ownerOf(user)}/{name}.git.`,
  );
}

function noObject({ oid, size }: LfsObject): AppError {
  return new AppError('not_found', `The repository has no object ${oid} of ${size} bytes.`);
}

async function answerOf(ctx: AppContext, repository: BareRepository, batch: LfsBatch): Promise<object> {
  const base = `${ctx.addresses.publicUrl}/${repository.owner}/${repository.name}.git/info/lfs`;
  const objects: BatchEntry[] = [];
  for (const { oid, size } of batch.objects) {
    const href = `${base}/objects/${oid}/${size}`;
    const refuse = (code: number, message: string) => objects.push({ oid, size, error: { code, message } });
    const isHere = await hasObject(repository.gitDir, { oid, size });
    if (batch.operation === 'download') {
      if (isHere) objects.push({ oid, size, actions: { download: { href } } });
      else refuse(404, noObject({ oid, size }).message);
      continue;
    }
    const tooLarge = tooLargeText({ oid, size });
    if (isHere) objects.push({ oid, size });
    else if (tooLarge !== null) refuse(422, tooLarge);
    else objects.push({ oid, size, actions: { upload: { href }, verify: { href: `${base}/verify` } } });
  }
  await warn(ctx, repository, objects);
  return { transfer: 'basic', hash_algo: 'sha256', objects };
}

/** Says before files are sent that there is no room for all of them. Whether there is room for one is decided when it comes. */
async function warn(
  ctx: AppContext,
  repository: BareRepository,
  objects: readonly BatchEntry[],
): Promise<void> {
  const coming = objects.filter((one) => 'actions' in one && one.actions?.upload !== undefined);
  if (coming.length === 0) return;
  await ctx.git.quota.warn(repository, Math.max(...coming.map((one) => roomOf(one))));
}

/** Takes a file: room for it is set aside in a turn of its user, and it comes outside of it, beside others. */
async function take(
  ctx: AppContext,
  transfers: FairSemaphore,
  request: Call<ObjectParams>,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const caller = await callerOf(ctx, request, reply);
  const object = readLfsObject(request.params);
  const tooLarge = tooLargeText(object);
  if (tooLarge !== null) throw new AppError('payload_too_large', tooLarge);
  const length = request.headers['content-length'];
  if (length !== undefined && Number(length) !== object.size)
    throw new AppError(
      'invalid_input',
      `The request has ${length} bytes, not the ${object.size} of the object.`,
    );
  const gone = callerGone(reply);
  const { repository, aside } = await setAside(ctx, caller, request, { object, gone });
  let isStored = false;
  try {
    const leave = await transfers.enter(caller.tenant, gone);
    const { raw } = request;
    const { socket } = raw;
    const endWatch = watchClient(
      () => ({ bytes: socket.bytesRead, waiting: !raw.complete }),
      () => socket.destroy(),
    );
    try {
      const signal = AbortSignal.any([gone, aside.signal]);
      const arrived = await receiveObject(repository, object, piecesOfBody(request), signal);
      try {
        // Whatever fails from here on, it may be there.
        isStored = true;
        isStored = await arrived.keep(() => aside.check());
      } finally {
        await arrived.discard();
      }
    } finally {
      endWatch();
      leave();
    }
  } finally {
    aside.end(isStored);
  }
  return reply.code(200).send();
}

/** Looks in a turn of the user, in which no repository goes or is pushed to, whether there is room for an object. */
async function setAside(
  ctx: AppContext,
  caller: Caller,
  request: Call,
  { object, gone }: { object: LfsObject; gone: AbortSignal },
): Promise<{ repository: BareRepository; aside: RoomAside }> {
  const turn = await ctx.git.quota.enter(caller.tenant, gone);
  try {
    const repository = await named(ctx, caller, request);
    return { repository, aside: await turn.setAside(repository, roomOf(object)) };
  } finally {
    turn.end();
  }
}

/** A part of a file: one range of bytes, or from somewhere to the end. */
const RANGE = /^bytes=(\d{1,15})-(\d{1,15})?$/;

/** Gives a file, or one range of it. */
async function give(
  ctx: AppContext,
  transfers: FairSemaphore,
  request: Call<ObjectParams>,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const caller = await callerOf(ctx, request, reply);
  const object = readLfsObject(request.params);
  const { gitDir } = await named(ctx, caller, request);
  const { size } = object;
  const [, from, to] = RANGE.exec(request.headers.range ?? '') ?? [];
  const start = Number(from ?? 0);
  const end = Math.min(Number(to ?? size), size - 1);
  reply.header('accept-ranges', 'bytes').header('cache-control', 'no-store').type('application/octet-stream');
  if (start > end && from !== undefined) {
    reply.header('content-range', `bytes */${size}`);
    return sendLfs(reply, 416, { message: `The file has ${size} bytes.` });
  }
  const leave = await transfers.enter(caller.tenant, callerGone(reply));
  const file = await openObject(gitDir, object).catch((error: unknown) => {
    leave();
    throw error;
  });
  if (file === null) {
    leave();
    throw noObject(object);
  }
  // Of an empty file there is no last byte.
  const content = file.createReadStream({ start, end: Math.max(0, end) });
  const { socket } = request.raw;
  const endWatch = watchClient(
    () => ({ bytes: socket.bytesWritten, waiting: socket.writableLength > 0 }),
    () => socket.destroy(),
  );
  const done = (): void => {
    endWatch();
    leave();
    content.destroy();
  };
  if (reply.raw.closed) done();
  else reply.raw.once('close', done);
  reply.header('content-length', end - start + 1);
  if (from !== undefined) reply.code(206).header('content-range', `bytes ${start}-${end}/${size}`);
  return reply.send(content);
}
