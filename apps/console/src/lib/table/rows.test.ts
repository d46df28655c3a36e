import { expect, test } from 'vitest';
import { rowsToShow, withKnownRows } from './rows.ts';

interface Row {
  readonly id: string;
  readonly cycles: number | null;
  readonly note?: string;
}

test('rows that have not changed stay the same objects, wherever they stand', () => {
  const known: Row[] = [
    { id: 'a', cycles: 1 },
    { id: 'b', cycles: null },
  ];
  const fetched: Row[] = [
    { id: 'new', cycles: 3 },
    { id: 'b', cycles: null },
    { id: 'a', cycles: 1 },
  ];
  const rows = withKnownRows(known, fetched);
  expect(rows).toEqual(fetched);
  expect(rows[0]).toBe(fetched[0]);
  expect(rows[1]).toBe(known[1]);
  expect(rows[2]).toBe(known[0]);
});

test('a row with a changed, new or missing field is taken over', () => {
  const known: Row[] = [{ id: 'a', cycles: 1 }];
  for (const changed of [
    { id: 'a', cycles: 2 },
    { id: 'a', cycles: 1, note: '' },
  ]) {
    expect(withKnownRows(known, [changed])[0]).toBe(changed);
  }
  expect(withKnownRows([{ id: 'a', cycles: 1, note: '' }], known)[0]).toBe(known[0]);
  expect(withKnownRows(undefined, known)).toBe(known);
});

test('a row is the same only if what is in its lists and objects is the same', () => {
  const row = (tags: unknown, deploy: unknown = null) => ({ id: 'a', tags, deploy });
  const known = [row(['x', 'y'], { id: 'd', branch: null })];
  expect(withKnownRows(known, [row(['x', 'y'], { id: 'd', branch: null })])[0]).toBe(known[0]);
  for (const changed of [
    row(['x', 'z'], { id: 'd', branch: null }),
    row(['x'], { id: 'd', branch: null }),
    row({ 0: 'x', 1: 'y' }, { id: 'd', branch: null }),
    row(['x', 'y'], { id: 'd', branch: 'main' }),
    row(['x', 'y'], { id: 'd', other: null }),
    row(['x', 'y']),
    row(null, { id: 'd', branch: null }),
  ])
    expect(withKnownRows(known, [changed])[0]).toBe(changed);
});

test('[ERR-10] [API-17] a call that fails shows as an empty list, one that is under way as none yet', () => {
  expect(rowsToShow({ data: undefined, isError: true })).toEqual([]);
  expect(rowsToShow({ data: undefined, isError: false })).toBeUndefined();
});

test('rows that were shown stay when a later call fails', () => {
  expect(rowsToShow({ data: ['a'], isError: true })).toEqual(['a']);
});
