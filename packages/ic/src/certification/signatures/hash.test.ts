import { createHash, randomBytes } from 'node:crypto';
import { expect, test } from 'vitest';
import { decodeLeb128, encodeLeb128 } from '../bytes.ts';
import { sha256 } from './hash.ts';
import { fixedMapHash, hashOfMap } from './representation-hash.ts';

test('SHA-256 of inputs of every length is that of the crypto library, however they are cut', () => {
  const lengths = [...Array(600).keys(), 16_383, 16_384, 16_385, 100_000];
  for (const length of lengths) {
    const input = randomBytes(length);
    const expected = createHash('sha256').update(input).digest('hex');
    const cut = Math.floor(length / 3);
    for (const parts of [[input], [input.subarray(0, cut), input.subarray(cut)]]) {
      expect(Buffer.from(sha256(...parts)).toString('hex')).toBe(expected);
    }
  }
  expect(Buffer.from(sha256()).toString('hex')).toBe(createHash('sha256').digest('hex'));
});

test('numbers are written in the shortest LEB128 form', () => {
  const written = (value: bigint): string => Buffer.from(encodeLeb128(value)).toString('hex');
  expect([0n, 127n, 128n, 624_485n].map(written)).toEqual(['00', '7f', '8001', 'e58e26']);
  for (let bits = 0n; bits < 130n; bits += 1n) {
    for (const value of [(1n << bits) - 1n, 1n << bits, (1n << bits) + 1n]) {
      const encoded = encodeLeb128(value);
      expect(decodeLeb128(encoded)).toBe(value);
      expect(encoded).toHaveLength(Math.max(1, Math.ceil(value.toString(2).length / 7)));
      if (value === 0n) continue;
      expect(encoded.at(-1)).not.toBe(0);
    }
  }
});

test('the hash of a map with known names is that of the map', () => {
  const map = {
    status: 'replied',
    request_id: randomBytes(32),
    arg: randomBytes(5),
    sender: Uint8Array.of(4),
  };
  const names = Object.keys(map);
  const values = Object.values(map).map((value) =>
    sha256(typeof value === 'string' ? new TextEncoder().encode(value) : value),
  );
  const hash = fixedMapHash(names);
  expect(Buffer.from(hash(values))).toEqual(Buffer.from(hashOfMap(map)));
  expect(Buffer.from(hash(values.toReversed()))).not.toEqual(Buffer.from(hashOfMap(map)));
});
