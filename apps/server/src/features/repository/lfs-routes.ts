import type { FastifyInstance } from 'fastify';
import { FairSemaphore } from '../../fairness/fair-semaphore.ts';
import { hasObject, roomOf } from '../../git/lfs/lfs-store.ts';
import { type BareRepository, PUSH_LIMIT } from '../../git/repository/repository-folder.ts';
import { BodiesInFlight } from '../../http/limits/bodies-in-flight.ts';
import type { HostedContext } from './git-caller.ts';
import { countPush, PUSH_MS, REQUESTS_PER_PUSH } from './git-routes.ts';
import {
  type BatchEntry,
  type LfsBatch,
  readBatch,
  readLfsObject,
  REQUEST_BYTES,
  tooLargeText,
} from './lfs-batch.ts';
import { callerOf, named, noObject, type ObjectParams, type RepositoryParams } from './lfs-caller.ts';
import { endBody, refuseInLfsForm, sendLfs, textOfBody } from './lfs-http.ts';
import { giveFile, takeFile } from './lfs-transfers.ts';
import { noteUseOf } from './token-store.ts';

/** Objects under way: each is an open file and some kilobytes. git-lfs brings and takes eight at a time. */
const TRANSFERS = { most: 64, perTenant: 8, waitingPerTenant: 64, what: 'files of Git LFS' };

const MIB = 1024 * 1024;
/** Requests that are kept until they are answered. */
const BODIES = { bytes: 16 * MIB, bytesOfSender: 2 * MIB, bytesOfPlace: 16 * MIB, bodiesOfSender: 64 };

/**
 * Addresses of Git LFS below a repository: the batch API with the transfer 'basic'. Files are brought and fetched with the same
 * credentials as everything else of the repository, which are looked at with each of them (decision 0114).
 */
export async function addLfsRoutes(app: FastifyInstance, ctx: HostedContext): Promise<void> {
  const transfers = new FairSemaphore(TRANSFERS);
  const burst = ctx.git.limits.pushesPerMinute * REQUESTS_PER_PUSH;
  const batches = ctx.callLimiter.rates.open('lfs-batches', { perSecond: burst / 60, burst });
  const bodies = new BodiesInFlight(BODIES);
  const base = '/:owner/:repo/info/lfs';

  await app.register(async (scope) => {
    refuseInLfsForm(scope, ctx);
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
          if (batch.operation === 'upload') await countPush(batches, caller.tenant, ctx.git.limits);
          const repository = await named(ctx, caller, request, batch.operation === 'upload');
          await noteUseOf(ctx, caller.credential);
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
      handler: (request, reply) => takeFile(ctx, transfers, request, reply),
    });
    scope.route<{ Params: ObjectParams }>({
      method: 'GET',
      url: `${base}/objects/:oid/:size`,
      exposeHeadRoute: false,
      handler: (request, reply) => giveFile(ctx, transfers, request, reply),
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

async function answerOf(ctx: HostedContext, repository: BareRepository, batch: LfsBatch): Promise<object> {
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
  ctx: HostedContext,
  repository: BareRepository,
  objects: readonly BatchEntry[],
): Promise<void> {
  const coming = objects.filter((one) => 'actions' in one && one.actions?.upload !== undefined);
  if (coming.length === 0) return;
  await ctx.git.quota.warn(repository, Math.max(...coming.map((one) => roomOf(one))));
}
