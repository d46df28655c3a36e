import type { IncomingMessage, ServerResponse } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import { busy, tooLarge } from './request-error.ts';
import { type Share, shareOf } from './room.ts';

/** Longest request body the network reads, in bytes. */
const MAX_BODY_BYTES = 4 * 1024 * 1024;

/** How long a body waits for room, in milliseconds, and how often it looks. */
const PATIENCE_MILLIS = 20_000;
const LOOK_EVERY_MILLIS = 50;
/** What the streams of a connection keep of a body while nothing of it is taken, in bytes. */
const READ_AHEAD_BYTES = 128 * 1024;

/**
 * The whole body of a request. It counts as held by its address until `answer` is closed. Throws `RequestError` 413 as soon as it is
 * known to be too long, and 503 when there is no room for it for some seconds, in which nothing more of it is read, or too many
 * wait for room. A body that comes slowly gives way to others.
 */
export async function readBody(request: IncomingMessage, answer: ServerResponse): Promise<Buffer> {
  const announced = Number(request.headers['content-length'] ?? 0);
  if (announced > MAX_BODY_BYTES) throw bodyTooLarge();
  const share = shareOf(request.socket, 'bodies', () => answer.destroy());
  answer.once('close', () => share?.release());
  // All of it at once, where that is known: else several would wait for the room that the others have.
  await roomFor(share, announced, request);
  return read(request, async (bytes) => {
    await roomFor(share, announced > 0 ? 0 : bytes, request);
    if (share) share.moved += bytes;
  });
}

/** Waits until there is room for more bytes. Throws `RequestError` 503. */
async function roomFor(share: Share | undefined, bytes: number, { socket }: IncomingMessage): Promise<void> {
  if (!share || share.hold(bytes)) return;
  const ahead = shareOf(socket, 'ahead', () => socket.destroy());
  if (ahead?.hold(READ_AHEAD_BYTES) === false) throw noRoom();
  try {
    for (let waited = 0; waited < PATIENCE_MILLIS; waited += LOOK_EVERY_MILLIS) {
      await delay(LOOK_EVERY_MILLIS);
      if (socket.destroyed || share.hold(bytes)) return;
    }
  } finally {
    ahead?.release();
  }
  throw noRoom();
}

const noRoom = (): Error => busy('The network holds too many requests; try again in a moment.');

/** The body; waits for `makeRoom` before it keeps a piece. */
async function read(request: IncomingMessage, makeRoom: (bytes: number) => Promise<void>): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of request as AsyncIterable<Uint8Array>) {
    length += chunk.length;
    if (length > MAX_BODY_BYTES) throw bodyTooLarge();
    await makeRoom(chunk.length);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks, length);
}

function bodyTooLarge(): Error {
  return tooLarge(`The request body is longer than the ${MAX_BODY_BYTES} bytes allowed.`);
}
