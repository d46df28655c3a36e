import { createHash, randomBytes } from 'node:crypto';
import { expect, test } from 'vitest';
import { sha1 } from './sha1.ts';

const hex = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex');

test.each([0, 1, 3, 54, 55, 56, 57, 63, 64, 65, 119, 120, 128, 1_000, 65_537])(
  'SHA-1 of %i bytes is that of another implementation, in one piece and in several',
  (length) => {
    const bytes = randomBytes(length);
    const known = createHash('sha1').update(bytes).digest('hex');
    expect(hex(sha1([bytes]))).toBe(known);
    const cut = Math.floor(length / 3);
    const pieces = [bytes.subarray(0, cut), bytes.subarray(cut, cut), bytes.subarray(cut)];
    expect(hex(sha1(pieces))).toBe(known);
  },
);
