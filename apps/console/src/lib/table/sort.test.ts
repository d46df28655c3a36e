import { expect, test } from 'vitest';
import fc from 'fast-check';
import { compareTexts, dateValue, orderKey, sortRows, toggleSorting } from './sort.ts';

test('[CAN-04] [TX-02] a click sorts ascending, the next descending, and again', () => {
  const first = toggleSorting(undefined, 'cycles');
  expect(first).toEqual({ column: 'cycles', direction: 'asc' });
  const second = toggleSorting(first, 'cycles');
  expect(second.direction).toBe('desc');
  expect(toggleSorting(second, 'cycles').direction).toBe('asc');
  expect(toggleSorting(second, 'name')).toEqual({ column: 'name', direction: 'asc' });
});

test('[CAN-04] numbers sort as numbers, exact ones beyond 2^53 too', () => {
  expect(sortRows([10, 9, 100], (row) => row, 'asc')).toEqual([9, 10, 100]);
  const large = [9007199254740992n, 5n, 9007199254740993n];
  expect(sortRows(large, (row) => row, 'asc')).toEqual([5n, 9007199254740992n, 9007199254740993n]);
  expect(sortRows(large, (row) => row, 'desc')).toEqual([9007199254740993n, 9007199254740992n, 5n]);
});

test('[CAN-04] dates sort as dates', () => {
  const dates = ['2024-03-05T15:07:00+02:00', '2024-03-05T14:00:00Z', '2023-12-31T00:00:00Z'];
  expect(sortRows(dates, dateValue, 'asc')).toEqual([dates[2], dates[0], dates[1]]);
});

test('text sorts without regard to case', () => {
  expect(sortRows(['beta', 'Alpha', 'alpha 10', 'alpha 9'], (row) => row, 'asc')).toEqual([
    'Alpha',
    'alpha 9',
    'alpha 10',
    'beta',
  ]);
});

test('rows without a value come last in both directions, equal rows keep their order', () => {
  const rows = [
    { id: 1, value: undefined },
    { id: 2, value: 5 },
    { id: 3, value: 5 },
    { id: 4, value: 1 },
  ];
  const ids = (direction: 'asc' | 'desc') =>
    sortRows(rows, ({ value }) => value, direction).map(({ id }) => id);
  expect(ids('asc')).toEqual([4, 2, 3, 1]);
  expect(ids('desc')).toEqual([2, 3, 4, 1]);
});

const collator = new Intl.Collator('en', { numeric: true, sensitivity: 'base' });
const plain = fc.string({
  unit: fc.constantFrom(...'aAbBzZ0019 ._-'),
  maxLength: 12,
});
const ordered = (text: string) => ({ text, key: orderKey(text) });

test('[CAN-04] plain texts compare as the collator compares them', () => {
  fc.assert(
    fc.property(plain, plain, (left, right) => {
      expect(Math.sign(compareTexts(ordered(left), ordered(right)))).toBe(
        Math.sign(collator.compare(left, right)),
      );
    }),
    { numRuns: 5_000 },
  );
});

test('texts beyond plain ASCII, and numbers without end, are left to the collator', () => {
  expect(orderKey('Ärger')).toBeUndefined();
  expect(orderKey('1'.repeat(49))).toBeUndefined();
  expect(compareTexts(ordered('Ärger'), ordered('b'))).toBeLessThan(0);
});
