import { expect, test } from 'vitest';
import { byteSize } from './byte-size.ts';

test.each([
  [0n, '0 B'],
  [1023, '1023 B'],
  [1024, '1.00 KiB'],
  ['1572864', '1.50 MiB'],
  [4n * 1024n ** 3n, '4.00 GiB'],
  [1024n ** 2n - 1n, '1023.99 KiB'],
  ['281474976710656', '256.00 TiB'],
])('%s bytes read %s', (bytes, text) => {
  expect(byteSize(bytes)).toBe(text);
});
