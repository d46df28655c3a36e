import { expect, test } from 'vitest';
import { freezingNeed } from './freezing-need.tsx';

const costs = { cycles: '1000', reserved_cycles: '0', idle_cycles_burned_per_day: '10' };
const DAY = 86_400;

test.each([
  [100, 1000n, false],
  [101, 1010n, true],
  [0, 0n, false],
])('%d days need %d cycles of a canister that has 1,000 and burns 10 a day', (days, cycles, freezes) => {
  expect(freezingNeed(costs, String(days * DAY))).toEqual({ cycles, freezes });
});

test('the reserved balance pays first', () => {
  const reserved = { ...costs, reserved_cycles: '500' };
  expect(freezingNeed(reserved, String(101 * DAY))).toEqual({ cycles: 510n, freezes: false });
  expect(freezingNeed(reserved, String(20 * DAY))).toEqual({ cycles: 0n, freezes: false });
});

test('no number, no need', () => {
  expect(freezingNeed(costs, undefined)).toBeUndefined();
});
