import { expect, test } from 'vitest';
import { costText, stillToPay } from './install-cost.ts';

const CREATION = '2000000000000';

test.each([
  [0.5, 0, 0.5],
  [0.5, 0.5, 0],
  [0.3, 0.1, 0.2],
  [1, 0.99, 0.01],
  [0.1, 0.5, 0],
])('with %d T asked for and %d T paid, %d T are still to pay', (extra, paid, more) => {
  expect(stillToPay(extra, { extra: paid })).toBe(more);
});

test('an installation says what it costs', () => {
  expect(costText(undefined, 0.5, undefined)).toBeUndefined();
  expect(costText(CREATION, 0, undefined)).toBe(
    'Costs 2.00 T of your cycle balance, which the canister gets.',
  );
  expect(costText(CREATION, 0.5, undefined)).toBe(
    'Costs 2.50 T of your cycle balance (2.00 T + 0.50 T), which the canister gets.',
  );
});

test('one that goes on counts neither the creation nor the cycles of the first attempt again', () => {
  expect(costText(CREATION, 0.5, { extra: 0.5 })).toBe(
    'Costs nothing more: 2.50 T of your cycle balance is paid already, which the canister has got.',
  );
  expect(costText(CREATION, 0.8, { extra: 0.5 })).toBe(
    'Costs 0.30 T more: 2.50 T of your cycle balance is paid already, which the canister has got.',
  );
});
