import type { FastifyReply } from 'fastify';
import { AppError } from '../../errors.ts';
import type { FairSemaphore } from '../../fairness/fair-semaphore.ts';
import { watchClient } from '../../git/host/slow-client.ts';
import type { LfsObject } from '../../git/lfs/lfs-object.ts';
import type { RoomAside } from '../../git/lfs/lfs-room.ts';
import { openObject, receiveObject, roomOf } from '../../git/lfs/lfs-store.ts';
import type { BareRepository } from '../../git/repository/repository-folder.ts';
import { callerGone } from '../../http/limits/sender.ts';
import { readLfsObject, tooLargeText } from './lfs-batch.ts';
import type { Caller, HostedContext } from './git-caller.ts';
import { type Call, callerOf, named, noObject, type ObjectParams } from './lfs-caller.ts';
import { piecesOfBody, sendLfs } from './lfs-http.ts';
import { whenOver } from '../../http/limits/when-over.ts';

/**
 * Takes a file: room for it is set aside in a turn of its user, and it comes outside of it, beside others.
 * @throws AppError unauthenticated, repository_not_found, invalid_input, payload_too_large, quota_reached, rate_limited
 */
export async function takeFile(
  ctx: HostedContext,
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
        ctx.git.noteFile(repository);
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
  ctx: HostedContext,
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

/**
 * Gives a file, or one range of it.
 * @throws AppError unauthenticated, repository_not_found, not_found, rate_limited
 */
export async function giveFile(
  ctx: HostedContext,
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
  whenOver(reply.raw, done);
  reply.header('content-length', end - start + 1);
  if (from !== undefined) reply.code(206).header('content-range', `bytes ${start}-${end}/${size}`);
  return reply.send(content);
}
