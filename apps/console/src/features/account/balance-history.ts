import type { Transaction } from '@cannery/contract';
import { dateValue } from '../../lib/table/sort.ts';

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
