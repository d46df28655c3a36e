import { describe, expect, test } from 'vitest';
import { readTopUp } from '../canister/canister.ts';
import { cutDecimals, decimalText, inUnits, readDecimal } from './decimal-text.ts';

/** What a text is read as, or undefined for one that is refused. */
const read = (text: string): string | undefined => {
  const reading = readDecimal(text);
  return 'decimal' in reading ? decimalText(reading.decimal) : undefined;
};

describe('a number as it was typed', () => {
  test.each([
    ['0,01', '0.01'],
    ['0.01', '0.01'],
    ['1,5', '1.5'],
    [',5', '0.5'],
    ['.5', '0.5'],
    ['0,125', '0.125'],
    ['1.239', '1.239'],
    ['  2 ', '2'],
    ['\u00a02\u00a0', '2'],
    ['007', '7'],
    ['100', '100'],
    ['1000,5', '1000.5'],
    ['0', '0'],
    ['0.000000000000000001', '0.000000000000000001'],
  ])('%j is %s', (typed, amount) => {
    expect(read(typed)).toBe(amount);
  });

  test.each([
    '',
    ' ',
    '.',
    ',',
    '1.',
    '1,',
    '-1',
    '+1',
    '1e3',
    '1E3',
    '1e-3',
    '0x10',
    '1_000',
    '1 000',
    '1\u00a0000',
    "1'000",
    '1,000,000',
    '1.000.000',
    '1.000,5',
    '1,000.5',
    '1..5',
    '1,,5',
    '\uff11',
    '\u0661',
    '\u00bd',
    '1\u2009000',
    '1%',
    '1 T',
    '$1',
    '1\n2',
    '1\u200b5',
    '\u22121',
    'Infinity',
    'NaN',
    '9'.repeat(31),
    `0.${'1'.repeat(31)}`,
  ])('%j is refused', (typed) => {
    expect(readDecimal(typed)).toHaveProperty('problem');
  });

  test.each(['1,000', '10,500', '999,999'])('%s has two readings and is refused with both', (typed) => {
    expect(readDecimal(typed)).toEqual({
      problem: `Write ${typed.replace(',', '')} or ${typed.replace(',', '.')}: ${typed} can be read as both.`,
    });
  });

  test('a number in a smaller unit is exact, or none', () => {
    const hours = (text: string) => {
      const reading = readDecimal(text);
      return 'decimal' in reading ? inUnits(reading.decimal, 3_600n) : undefined;
    };
    expect(hours('1,5')).toBe(5_400n);
    expect(hours('0.0001')).toBeUndefined();
    expect(inUnits({ digits: 1n, decimals: 12 }, 10n ** 12n)).toBe(1n);
    expect(inUnits({ digits: 1n, decimals: 13 }, 10n ** 12n)).toBeUndefined();
  });

  test('decimals are cut, never rounded', () => {
    expect(cutDecimals({ digits: 1_999n, decimals: 3 }, 2)).toEqual({ digits: 199n, decimals: 2 });
    expect(cutDecimals({ digits: 5n, decimals: 0 }, 2)).toEqual({ digits: 5n, decimals: 0 });
  });
});

describe('the amount of a top-up', () => {
  test.each([
    ['0,01', 0.01, 10_000_000_000n],
    ['0,5', 0.5, 500_000_000_000n],
    ['1,5', 1.5, 1_500_000_000_000n],
    ['1.239', 1.23, 1_230_000_000_000n],
    ['9.999999999999999999999', 9.99, 9_990_000_000_000n],
    ['10', 10, 10_000_000_000_000n],
    ['10.009', 10, 10_000_000_000_000n],
  ])('[VAL-06] [VAL-08] %s is paid as typed', (typed, amount, cycles) => {
    expect(readTopUp(typed)).toMatchObject({ amount, cycles, text: String(amount) });
  });

  test.each(['', '0', '0,009', '-1', '10.01', '11', '1e1', '1,000', '1 0', '\uff11', '0,0,1'])(
    '[VAL-06] %j is an invalid amount',
    (typed) => {
      expect(readTopUp(typed)).toMatchObject({ error: 'Invalid Amount' });
    },
  );
});
