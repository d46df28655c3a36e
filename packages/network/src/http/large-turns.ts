/** Bytes from which reading a request may take milliseconds: 12,000 values, each of which is hashed, need 12 kB. */
const LARGE_BYTES = 4 * 1024;

let last: Promise<void> = Promise.resolve();

/**
 * Lets a large request wait for its turn: one is read in a turn of the event loop, so that thirty that arrive at the same moment are
 * not read at a stretch (each takes up to ten milliseconds). A small one goes on at once.
 */
export async function largeTurn(bytes: number): Promise<void> {
  if (bytes < LARGE_BYTES) return;
  last = last.then(() => new Promise((resolve) => setImmediate(resolve)));
  await last;
}
