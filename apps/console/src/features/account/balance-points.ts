import type { Transaction } from '@cannery/contract';
import type { ChartPoint } from '../../components/chart/chart-scale.ts';
import { dateValue } from '../../lib/table/sort.ts';
import { cyclesExact } from '../../lib/text/cycles.ts';

interface Movement {
  /** Milliseconds. */
  readonly at: number;
  /** Cycles after it. */
  readonly balance: number;
}

/** The movements of which time and balance are known, oldest first. The transactions come newest first. */
function movementsOf(transactions: readonly Transaction[]): Movement[] {
  return transactions.toReversed().flatMap(({ created_at, balance_after: balance }) => {
    const at = dateValue(created_at);
    return at === undefined || balance === null ? [] : [{ at, balance }];
  });
}

/** Lengths of time the account's balance is shown over, in milliseconds; undefined for all there is. */
export const accountRanges = {
  '7d': 7 * 86_400_000,
  '30d': 30 * 86_400_000,
  '1y': 365 * 86_400_000,
  all: undefined,
} as const;
export type AccountRange = keyof typeof accountRanges;

function point(at: number, cycles: number): ChartPoint {
  return { at, value: cycles, text: `${cyclesExact(cycles)} cycles` };
}

/**
 * The balance of the account from the movements that changed it, which come newest first: what it was when the range
 * began, after each movement, and now. Empty when there are no movements to draw a line through.
 */
export function balancePoints(
  transactions: readonly Transaction[],
  { range, now }: { range: AccountRange; now: number },
): ChartPoint[] {
  const moves = movementsOf(transactions);
  const [first, last] = [moves[0], moves.at(-1)];
  if (first === undefined || last === undefined || moves.length < 2) return [];
  const length = accountRanges[range];
  const start = length === undefined ? first.at : Math.max(first.at, now - length);
  const inside = moves.filter(({ at }) => at > start);
  const before = moves[moves.length - inside.length - 1] ?? first;
  return [
    point(start, before.balance),
    ...inside.map(({ at, balance }) => point(at, balance)),
    // A clock that is behind the server's must not turn the line back.
    point(Math.max(now, last.at), last.balance),
  ];
}
