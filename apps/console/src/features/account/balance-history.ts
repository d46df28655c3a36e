import type { Transaction } from '@cannery/contract';

/** The balance after each movement, oldest first, in cycles. The movements come newest first. */
export function balanceHistory(transactions: readonly Transaction[]): number[] {
  return transactions
    .toReversed()
    .toSorted((a, b) => Date.parse(a.created_at) - Date.parse(b.created_at))
    .map(({ balance_after }) => balance_after);
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
