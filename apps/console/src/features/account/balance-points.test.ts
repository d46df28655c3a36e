import type { Transaction } from '@cannery/contract';
import { expect, test } from 'vitest';
import { balancePoints } from './balance-points.ts';

const DAY = 86_400_000;
const now = Date.parse('2026-03-15T12:00:00Z');

function move(daysAgo: number, balance_before: number, balance_after: number): Transaction {
  return {
    id: String(daysAgo),
    transaction_name: 'CYCLE_DEPOSIT',
    transaction_type: 'CREDIT',
    amount: Math.abs(balance_after - balance_before),
    balance_before,
    balance_after,
    transaction_meta: null,
    created_at: new Date(now - daysAgo * DAY).toISOString(),
  };
}

/** Newest first, as the service answers. */
const moves = [move(1, 80, 60), move(10, 100, 80), move(100, 0, 100)];
const course = (range: Parameters<typeof balancePoints>[1]['range']) =>
  balancePoints(moves, { range, now }).map(({ at, value }) => [(now - at) / DAY, value]);

test('all there is begins with the first movement and ends now', () => {
  expect(course('all')).toEqual([
    [100, 100],
    [10, 80],
    [1, 60],
    [0, 60],
  ]);
});

test('a range begins with what the account had then', () => {
  expect(course('30d')).toEqual([
    [30, 100],
    [10, 80],
    [1, 60],
    [0, 60],
  ]);
  expect(course('7d')).toEqual([
    [7, 80],
    [1, 60],
    [0, 60],
  ]);
});

test('a single movement draws no line', () => {
  expect(balancePoints([move(1, 0, 100)], { range: 'all', now })).toEqual([]);
  expect(balancePoints([], { range: 'all', now })).toEqual([]);
});

test('the points tell the exact balance', () => {
  expect(balancePoints(moves, { range: 'all', now })[0]?.text).toBe('100 cycles');
});
