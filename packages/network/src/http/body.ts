import type { IncomingMessage } from 'node:http';
import { tooLarge } from './request-error.ts';

/** Longest request body the network reads, in bytes. */
export const MAX_BODY_BYTES = 4 * 1024 * 1024;

/** The whole body of a request. Throws `RequestError` 413 as soon as it is known to be too long. */
export async function readBody(request: IncomingMessage): Promise<Buffer> {
  const announced = Number(request.headers['content-length'] ?? 0);
  if (announced > MAX_BODY_BYTES) throw bodyTooLarge();
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of request as AsyncIterable<Uint8Array>) {
    length += chunk.length;
    if (length > MAX_BODY_BYTES) throw bodyTooLarge();
    chunks.push(chunk);
  }
  return Buffer.concat(chunks, length);
}

function bodyTooLarge(): Error {
  return tooLarge(`The request body is longer than the ${MAX_BODY_BYTES} bytes allowed.`);
}
