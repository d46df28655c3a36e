import { describe, expect, test } from 'vitest';
import {
  cyclesCell,
  cyclesExact,
  cyclesInT,
  cyclesPlain,
  cyclesShort,
  cycleTick,
  cyclesInUnit,
} from './cycles.ts';

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
  expect(cyclesInUnit(cycles)).toBe(text);
});

test.each([
  [2.4e12, { step: 2e11, top: 2.5e12 }, '2.4 T'],
  [2e12, { step: 1e12, top: 5e12 }, '2 T'],
  [1.999_98e12, { step: 5e6, top: 2e12 }, '1.999980 T'],
  [45e9, { step: 5e9, top: 60e9 }, '45 B'],
  [0, { step: 5e9, top: 60e9 }, '0 B'],
  [12, { step: 2, top: 20 }, '12'],
])('%d beside %o reads %s', (value, axis, text) => {
  expect(cycleTick(value, axis)).toBe(text);
});
