import { turnsOf } from './loop-line.ts';

/** Bytes from which reading a request may take milliseconds: 12,000 values, each of which is hashed, need 12 kB. */
const LARGE_BYTES = 4 * 1024;

const turn = turnsOf(1);

/**
 * Lets a large request wait for its turn: one is read in a turn of the event loop, so that thirty that arrive at the same moment are
 * not read at a stretch (each takes up to ten milliseconds). A small one goes on at once.
 */
export async function largeTurn(bytes: number): Promise<void> {
  if (bytes >= LARGE_BYTES) await turn();
}
