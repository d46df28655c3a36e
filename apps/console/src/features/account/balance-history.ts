import type { Transaction } from '@cannery/contract';

/** The balance after each movement, oldest first, in cycles; it starts with what was there before the first one. */
export function balanceHistory(transactions: readonly Transaction[]): number[] {
  const inOrder = transactions.toSorted((a, b) => Date.parse(a.created_at) - Date.parse(b.created_at));
  const [first] = inOrder;
  return first ? [first.balance_before, ...inOrder.map(({ balance_after }) => balance_after)] : [];
}

/** The path of a step line through values, in a box of the given size; empty without two values. */
export function stepPath(values: readonly number[], width: number, height: number): string {
  if (values.length < 2) return '';
  const top = Math.max(...values);
  const scale = top === 0 ? 0 : height / top;
  const step = width / (values.length - 1);
  const y = (value: number): string => (height - value * scale).toFixed(1);
  return values
    .map((value, index) => (index === 0 ? `M0 ${y(value)}` : `H${(index * step).toFixed(1)}V${y(value)}`))
    .join('');
}
