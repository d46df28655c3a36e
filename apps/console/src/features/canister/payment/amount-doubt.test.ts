import { readTopUp } from '@cannery/contract';
import { expect, test } from 'vitest';
import { amountReason, isUnfinished } from './amount-doubt.ts';

test('[VAL-06] the reason names the bound that an amount is beyond, or how to write one', () => {
  const reason = (text: string) => amountReason(text, readTopUp(text));
  for (const right of ['0.01', '0,5', '1', '10', '10.009', ' 2 '])
    expect(reason(right), right).toBeUndefined();
  for (const little of ['0', '0.009', '0,00']) expect(reason(little), little).toBe('At least 0.01 T.');
  for (const much of ['10.01', '11', '99999999999999999999']) {
    expect(reason(much), much).toBe('At most 10 T at a time.');
  }
  for (const wrong of ['abc', '-1', '1e1', '1.']) expect(reason(wrong), wrong).toMatch(/^Write a number/);
  expect(reason('1,000')).toMatch(/^Write 1000 or 1.000/);
  expect(reason('')).toBeUndefined();
});

test('what further keys can make an amount is not wrong yet', () => {
  for (const text of ['', '0', '0.', '0,', '0.0', '.', '.0', '1.', '10,'])
    expect(isUnfinished(text), text).toBe(true);
  for (const text of ['11', '0.00', '1.2', 'a', '-', '10.1', '00', '1.0']) {
    expect(isUnfinished(text), text).toBe(false);
  }
});
