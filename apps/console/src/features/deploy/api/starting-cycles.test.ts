import type { ProjectPlanAnswer } from '@cannery/contract';
import { expect, test } from 'vitest';
import { amountProblem, amountsOfPlan, givenAmounts, planSum, sumText } from './starting-cycles.ts';

const T = 1_000_000_000_000n;
const creation = (2n * T).toString();
const canister = (name: string, cycles: bigint): ProjectPlanAnswer['canisters'][number] => ({
  name,
  kind: 'motoko',
  reason: null,
  canister_id: cycles === 0n ? 'aaaaa-aa' : null,
  cycles: cycles.toString(),
});
const plan: ProjectPlanAnswer = {
  canisters: [canister('first', 2n * T), canister('second', 2n * T), canister('live', 0n)],
  cost: (4n * T).toString(),
  balance: (5n * T).toString(),
  creation,
  problem: null,
  roots: [],
};

test('an amount is empty, or of two decimals within the bounds', () => {
  for (const text of ['', ' ', '2', '2.5', '999.99', '1000'])
    expect(amountProblem(text, creation)).toBeUndefined();
  for (const text of ['1.99', '0', '-3', '2.555', '1000.01', '1e3', 'much']) {
    expect(amountProblem(text, creation)).toBe('Between 2 T and 1000 T.');
  }
});

test('a plan says what is created and what it costs, with the amounts that are being entered', () => {
  expect(sumText(planSum(plan), plan)).toBe('2 canisters will be created, for 4 T of your 5 T');
  const more = planSum(
    plan,
    new Map([
      ['second', '3.25'],
      ['live', '9'],
    ]),
  );
  expect(more).toMatchObject({ created: ['first', 'second'], cost: 5_250_000_000_000n, isPayable: false });
  expect(planSum(plan, new Map([['second', '3']])).isPayable).toBe(true);
});

test('only amounts that can be read are sent', () => {
  expect(
    givenAmounts(
      new Map([
        ['first', ' 3.5 '],
        ['second', ''],
        ['third', 'x'],
        [' ', '4'],
      ]),
    ),
  ).toEqual([{ canister: 'first', amount: 3.5 }]);
});

test('a decimal comma is a point, and what has two readings is none', () => {
  expect(amountProblem('2,5', creation)).toBeUndefined();
  expect(planSum(plan, new Map([['second', '2,5']])).cost).toBe(4_500_000_000_000n);
  expect(amountProblem('1,000', creation)).toBe('Write 1000 or 1.000: 1,000 can be read as both.');
  for (const text of ['2,5555', '\uff12', '2 5', '2e0', '+2']) {
    expect(amountProblem(text, creation), text).toBe('Between 2 T and 1000 T.');
  }
});

test('nothing is sent while one field of a plan is no amount, and a field that is gone does not count', () => {
  expect(
    amountsOfPlan(
      plan,
      new Map([
        ['first', '2,5'],
        ['second', ''],
      ]),
    ),
  ).toEqual([{ canister: 'first', amount: 2.5 }]);
  expect(
    amountsOfPlan(
      plan,
      new Map([
        ['first', '2,5'],
        ['second', '3x'],
      ]),
    ),
  ).toBe('wrong');
  expect(amountsOfPlan(plan, new Map([['first', '1']]))).toBe('wrong');
  expect(amountsOfPlan(plan, new Map([['gone', '3x']]))).toEqual([]);
});

test.each(['constructor', '__proto__', 'toString', 'hasOwnProperty'])(
  'a canister named %s has an amount like every other',
  (name) => {
    const odd = { ...plan, canisters: [canister(name, 2n * T)] };
    expect(planSum(odd).cost).toBe(2n * T);
    expect(amountsOfPlan(odd, new Map())).toEqual([]);
    expect(amountsOfPlan(odd, new Map([[name, '3']]))).toEqual([{ canister: name, amount: 3 }]);
  },
);
