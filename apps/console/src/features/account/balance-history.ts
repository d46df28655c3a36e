import type { Transaction } from '@cannery/contract';
import { dateValue } from '../../lib/sort.ts';

export interface Movement {
  /** Milliseconds. */
  readonly at: number;
  /** Cycles after it. */
  readonly balance: number;
}

/** The movements of which time and balance are known, oldest first. The transactions come newest first. */
export function movementsOf(transactions: readonly Transaction[]): Movement[] {
  return transactions.toReversed().flatMap(({ created_at, balance_after: balance }) => {
    const at = dateValue(created_at);
    return at === undefined || balance === null ? [] : [{ at, balance }];
  });
}

/** The balance after each movement, oldest first, in cycles. The movements come newest first. */
export function balanceHistory(transactions: readonly Transaction[]): number[] {
  return movementsOf(transactions)
    .toSorted((a, b) => a.at - b.at)
    .map(({ balance }) => balance);
}

/** The path of a step line on which every value has the same width, in a box of the given size; empty without two values. */
export function stepPath(values: readonly number[], width: number, height: number): string {
  if (values.length < 2) return '';
  const top = Math.max(...values);
  const scale = top === 0 ? 0 : height / top;
  const step = width / values.length;
  return values
    .map((value, index) => {
      const y = (height - value * scale).toFixed(1);
      return `${index === 0 ? `M0 ${y}` : `V${y}`}H${((index + 1) * step).toFixed(1)}`;
    })
    .join('');
}
