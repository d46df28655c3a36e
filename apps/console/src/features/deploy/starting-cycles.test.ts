import type { ProjectPlanAnswer } from '@cannery/contract';
import { expect, test } from 'vitest';
import { amountProblem, givenAmounts, planSum, sumText } from './starting-cycles.ts';

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
  const more = planSum(plan, { second: '3.25', live: '9' });
  expect(more).toMatchObject({ created: ['first', 'second'], cost: 5_250_000_000_000n, isPayable: false });
  expect(planSum(plan, { second: '3' }).isPayable).toBe(true);
});

test('only amounts that can be read are sent', () => {
  expect(givenAmounts({ first: ' 3.5 ', second: '', third: 'x', ' ': '4' })).toEqual([
    { canister: 'first', amount: 3.5 },
  ]);
});
