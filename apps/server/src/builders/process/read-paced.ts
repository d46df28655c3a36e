import type { Readable } from 'node:stream';
import { setTimeout as delay } from 'node:timers/promises';

/** Of each window reading may take this share of the main thread; what is printed faster waits in the pipe. */
const SHARE_MS = 4;
const WINDOW_MS = 25;
/** Bytes that are read without looking at the clock. */
const SLICE = 4 * 1024;

/**
 * Reads a stream to its end, but never takes more than a share of the time, so that a program that floods its output
 * slows itself down and nobody else: the pipe fills, and the program waits. Errors of the stream end it as its end does.
 */
export async function readPaced(stream: Readable, take: (bytes: Buffer) => void): Promise<void> {
  let windowStart = performance.now();
  let used = 0;
  try {
    for await (const chunk of stream as AsyncIterable<Buffer>) {
      for (let at = 0; at < chunk.length; at += SLICE) {
        const start = performance.now();
        if (start - windowStart > WINDOW_MS) {
          windowStart = start;
          used = 0;
        }
        take(chunk.subarray(at, at + SLICE));
        used += performance.now() - start;
        if (used < SHARE_MS) continue;
        await delay(WINDOW_MS);
        used = 0;
      }
    }
  } catch {
    // The stream was closed on us, which is its end as well.
  }
}
