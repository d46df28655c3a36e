import { expect, test } from 'vitest';
import { aheadText, readSpan, spanText } from './spans.ts';

test('a typed span is a whole number of its unit, up to 366 days', () => {
  expect(readSpan({ amount: ' 2 ', unit: 'hours' })).toEqual({ seconds: 7_200 });
  expect(readSpan({ amount: '366', unit: 'days' })).toEqual({ seconds: 366 * 86_400 });
  for (const amount of ['', '0', '-1', '1.5', '1e3', 'a', '999999999'])
    expect(readSpan({ amount, unit: 'minutes' })).toHaveProperty('mistake');
  expect(readSpan({ amount: '367', unit: 'days' })).toEqual({ mistake: 'At most 366 days at a time.' });
});

test('spans are told in the largest unit that is exact, and what time is ahead to the largest', () => {
  expect(spanText(86_400)).toBe('1 day');
  expect(spanText(36 * 3_600)).toBe('36 hours');
  expect(spanText(90)).toBe('90 seconds');
  expect(aheadText(86_403)).toBe('1 day');
  expect(aheadText(7_199)).toBe('2 hours');
  expect(aheadText(5)).toBe('5 seconds');
});
