import { expect, test } from 'vitest';
import { balanceFacts, balanceRows, daysAtPace } from './balance-facts.ts';

const at = (minute: number): string => new Date(Date.UTC(2026, 2, 15, 12, minute)).toISOString();
const samples = (...cycles: number[]) =>
  cycles.map((amount, index) => ({ at: at(index * 60), cycles: String(amount) }));

test('burn is what went, without the stretches in which cycles came', () => {
  expect(balanceFacts(samples(1000, 990, 1480, 1470))).toEqual({ burned: 20n, perDay: 240n });
});

test('less than an hour of readings tells no pace', () => {
  const short = samples(1000, 990).map((sample, index) => ({ ...sample, at: at(index * 59) }));
  expect(balanceFacts(short)).toEqual({ burned: 10n, perDay: undefined });
  expect(balanceFacts([])).toEqual({ burned: 0n, perDay: undefined });
});

test.each([
  [240n, 3],
  [0n, null],
  [undefined, undefined],
])('at a pace of %s a day 1,000 cycles with a limit of 280 last %s days', (perDay, days) => {
  expect(daysAtPace({ cycles: 1000n, limit: 280n }, perDay)).toBe(days);
});

test('a balance at its limit freezes now', () => {
  expect(daysAtPace({ cycles: 280n, limit: 280n }, 1n)).toBe(0);
});

test('rows tell the change since the reading before and what of it was topped up', () => {
  const top_ups = [{ at: at(90), cycles: '500' }];
  expect(balanceRows({ samples: samples(1000, 990, 1480), top_ups })).toEqual([
    { at: at(120), cycles: '1480', change: 490n, added: 500n },
    { at: at(60), cycles: '990', change: -10n, added: 0n },
    { at: at(0), cycles: '1000', change: undefined, added: 0n },
  ]);
});
