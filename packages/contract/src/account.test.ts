import { expect, test } from 'vitest';
import { formatTrillions } from './account.ts';

test.each([
  [0n, '0 T'],
  [1n, '0.000000000001 T'],
  [1_500_000_000_000n, '1.5 T'],
  [100_000_000_000_000n, '100 T'],
  [123_456_789_012_345_678_901_234_567n, '123456789012345.678901234567 T'],
])('%d cycles read %s', (cycles, text) => {
  expect(formatTrillions(cycles)).toBe(text);
});
