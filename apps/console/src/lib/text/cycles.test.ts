import { describe, expect, test } from 'vitest';
import { cyclesShort, cyclesCell, cyclesExact, cyclesInT, cyclesPlain } from './cycles.ts';

describe('cycles', () => {
  test.each([
    [1_234_567_890_123, '1,234,567,890,123 ~ 1.23 T'],
    ['12345678901234567890', '12,345,678,901,234,567,890 ~ 12345678.90 T'],
    [0, '0 ~ 0.00 T'],
    [null, 'N/A'],
    [undefined, 'N/A'],
  ])('[CAN-05] the cell of %s is %s', (value, text) => {
    expect(cyclesCell(value)).toBe(text);
  });

  test.each([
    [1_000_000_000_000, '1.00 T'],
    [1_235_000_000_000, '1.24 T'],
    [1_234_999_999_999, '1.23 T'],
    [4_999_999_999, '0.00 T'],
    [5_000_000_000, '0.01 T'],
    ['-1500000000000', '-1.50 T'],
    [undefined, 'N/A'],
    ['many', 'N/A'],
  ])('[CONST-01] [NAV-21] [TX-03] %s cycles are %s', (value, text) => {
    expect(cyclesInT(value)).toBe(text);
  });

  test('[NAV-22] the exact number has every digit, plain and with separators', () => {
    expect(cyclesPlain('9007199254740993')).toBe('9007199254740993');
    expect(cyclesExact('9007199254740993')).toBe('9,007,199,254,740,993');
  });
});

test('[NAV-31] the short form keeps to the width of the collapsed sidebar', () => {
  const T = 1_000_000_000_000n;
  for (const [cycles, text] of [
    [86n * T, '86.00 T'],
    [999n * T, '999.00 T'],
    [1_000n * T, '1.0k T'],
    [12_345n * T, '12.3k T'],
    [999_999n * T, '999.9k T'],
    [2_500_000n * T, '2.5M T'],
  ] as const) {
    expect(cyclesShort(String(cycles))).toBe(text);
  }
  expect(cyclesShort(undefined)).toBe('N/A');
});
