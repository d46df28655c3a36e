import { createHmac, randomBytes } from 'node:crypto';

/** Gives a number of bytes that it gave nobody before. */
export type Randomness = (length: number) => Uint8Array;

/** Unpredictable bytes, for `raw_rand` and for the nonces of signatures. */
export function freshRandomness(length: number): Uint8Array {
  return new Uint8Array(randomBytes(length));
}

/** Bytes that follow from the seed and from how often it was asked: for tests, which are to run the same way each time. */
export function seededRandomness(seed: Uint8Array): Randomness {
  let blocks = 0;
  const block = (): Uint8Array => {
    blocks += 1;
    return createHmac('sha256', seed).update(`randomness ${blocks}`).digest();
  };
  return (length) => {
    const bytes = new Uint8Array(length);
    for (let at = 0; at < length; ) {
      const part = block().subarray(0, length - at);
      bytes.set(part, at);
      at += part.length;
    }
    return bytes;
  };
}
