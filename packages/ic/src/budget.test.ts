import { expect, test } from 'vitest';
import { Budget, BudgetError } from './budget.ts';

const small = (): Budget => new Budget({ values: 3, depth: 2, bytes: 10 });

test('a budget is spent to its last value, level and byte, and no further', () => {
  const budget = small();
  budget.spendValues(2);
  budget.spendValues();
  budget.spendBytes(10);
  expect(budget.isExceeded).toBe(false);
  expect(budget.spent).toEqual({ values: 3, bytes: 10 });
  expect(() => budget.spendValues()).toThrow('it has too many values, more than 3');
  expect(() => budget.spendBytes(1)).toThrow('it takes more than 10 bytes');
  expect(budget.isExceeded).toBe(true);
});

test('depth is that of the moment, not the sum', () => {
  const budget = small();
  for (let round = 0; round < 100; round += 1) {
    budget.enter();
    budget.enter();
    budget.leave();
    budget.leave();
  }
  budget.enter();
  budget.enter();
  expect(() => budget.enter()).toThrow('it is nested more than 2 deep');
});

test.each([2 ** 32 - 1, Number.POSITIVE_INFINITY, Number.NaN])('a claim of %d is refused', (count) => {
  expect(() => small().spendValues(count)).toThrow(BudgetError);
  expect(() => small().spendBytes(count)).toThrow(BudgetError);
});
