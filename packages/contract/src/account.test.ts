import { expect, test } from 'vitest';
import { formatTrillions, spendableTrillions } from './account.ts';

test.each([
  [0n, '0 T'],
  [1n, '0.000000000001 T'],
  [1_500_000_000_000n, '1.5 T'],
  [100_000_000_000_000n, '100 T'],
  [123_456_789_012_345_678_901_234_567n, '123456789012345.678901234567 T'],
])('%d cycles read %s', (cycles, text) => {
  expect(formatTrillions(cycles)).toBe(text);
});

test.each([
  [188_999_988_880_000n, '188.99 T'],
  [1_999_999_999_999n, '1.99 T'],
  [98_000_000_000_000n, '98 T'],
  [9_999_999_999n, '0 T'],
  [-5n, '0 T'],
])('%s cycles to spend read as %s, never as more', (cycles, text) => {
  expect(spendableTrillions(cycles)).toBe(text);
});
