import { expect, test } from 'vitest';
import { filesText, sizeText } from './amount-text.ts';

test('one file is one file, and a small site is not 0 kB', () => {
  expect([0, 1, 2].map(filesText)).toEqual(['0 files', '1 file', '2 files']);
  expect([0, 500, 1024, 10_240, 2.5 * 1024 ** 2].map(sizeText)).toEqual([
    '0 B',
    '500 B',
    '1 kB',
    '10 kB',
    '2.5 MB',
  ]);
});
