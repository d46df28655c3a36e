import type { IncomingMessage, ServerResponse } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import { busy, tooLarge } from './request-error.ts';
import { shareOf } from './room.ts';

/** Longest request body the network reads, in bytes. */
export const MAX_BODY_BYTES = 4 * 1024 * 1024;

/** How long a body waits for room, in milliseconds, and how often it looks. */
const PATIENCE_MILLIS = 5_000;
const LOOK_EVERY_MILLIS = 50;

/**
 * The whole body of a request. It counts as held by its address until `answer` is closed, or where that is not given until it is
 * read. Throws `RequestError` 413 as soon as it is known to be too long, and 503 when there is no room for it for some seconds,
 * in which nothing more of it is read.
 */
export async function readBody(request: IncomingMessage, answer?: ServerResponse): Promise<Buffer> {
  const share = shareOf(request.socket)?.another();
  answer?.once('close', () => share?.release());
  try {
    return await read(request, async (bytes) => {
      for (let waited = 0; share?.hold(bytes) === false; waited += LOOK_EVERY_MILLIS) {
        if (waited >= PATIENCE_MILLIS)
          throw busy('The network holds too many requests; try again in a moment.');
        await delay(LOOK_EVERY_MILLIS);
      }
    });
  } finally {
    if (!answer || answer.closed) share?.release();
  }
}

async function read(request: IncomingMessage, hold: (bytes: number) => Promise<void>): Promise<Buffer> {
  const announced = Number(request.headers['content-length'] ?? 0);
  if (announced > MAX_BODY_BYTES) throw bodyTooLarge();
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of request as AsyncIterable<Uint8Array>) {
    length += chunk.length;
    if (length > MAX_BODY_BYTES) throw bodyTooLarge();
    await hold(chunk.length);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks, length);
}

function bodyTooLarge(): Error {
  return tooLarge(`The request body is longer than the ${MAX_BODY_BYTES} bytes allowed.`);
}
