import { randomBytes } from 'node:crypto';

/** Unpredictable bytes for `raw_rand`. */
export function freshRandomness(length: number): Uint8Array {
  return new Uint8Array(randomBytes(length));
}
