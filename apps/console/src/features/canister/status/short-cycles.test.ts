import { expect, test } from 'vitest';
import { shortCycles } from './short-cycles.ts';

test.each([
  ['1234567890123', '1.23 T'],
  ['1235000000000', '1.24 T'],
  ['1000000000000', '1.00 T'],
  ['98000000000000', '98.00 T'],
  ['990000000000', '990.00 B'],
  ['45000000', '45.00 M'],
  ['1500', '1.50 k'],
  ['12', '12'],
  ['0', '0'],
])('[CONST-01] %s cycles are %s in the largest unit that leaves a whole part', (cycles, text) => {
  expect(shortCycles(cycles)).toBe(text);
});
