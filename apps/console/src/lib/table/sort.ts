import { compareTexts, orderKey, type OrderedText } from './text-order.ts';

export type SortDirection = 'asc' | 'desc';

/** What a column sorts by; missing values come last in both directions. */
export type SortValue = string | number | bigint | null | undefined;

export interface Sorting {
  readonly column: string;
  readonly direction: SortDirection;
}

/** The sorting after a click on a heading: the same column toggles, another starts ascending. */
export function toggleSorting(current: Sorting | undefined, column: string): Sorting {
  const flip = current?.column === column && current.direction === 'asc';
  return { column, direction: flip ? 'desc' : 'asc' };
}

type Prepared = Exclude<SortValue, string> | OrderedText;

function prepare(value: SortValue): Prepared {
  return typeof value === 'string' ? { text: value, key: orderKey(value) } : value;
}

function compare(left: Prepared, right: Prepared): number {
  if (typeof left === 'object' && typeof right === 'object' && left !== null && right !== null)
    return compareTexts(left, right);
  if (left === right || left == null || right == null) return 0;
  return left < right ? -1 : 1;
}

/** A sorted copy; equal rows keep their order, rows without a value come last. */
export function sortRows<Row>(
  rows: readonly Row[],
  valueOf: (row: Row) => SortValue,
  direction: SortDirection,
): Row[] {
  const keyed = rows.map((row) => ({ row, value: prepare(valueOf(row)) }));
  const sign = direction === 'asc' ? 1 : -1;
  keyed.sort((a, b) => {
    const missing = Number(a.value == null) - Number(b.value == null);
    return missing !== 0 ? missing : sign * compare(a.value, b.value);
  });
  return keyed.map(({ row }) => row);
}

/** Milliseconds of a date text for sorting; undefined when it is missing or not a date. */
export function dateValue(text: string | null | undefined): number | undefined {
  const time = text == null ? Number.NaN : Date.parse(text);
  return Number.isNaN(time) ? undefined : time;
}
