import { expect, test } from 'vitest';
import { rowsToShow, withKnownRows } from './rows.ts';

interface Row {
  readonly id: string;
  readonly cycles: number | null;
  readonly note?: string;
}

test('rows that have not changed stay the same objects, wherever they stand', async () => {
  const known: Row[] = [
    { id: 'a', cycles: 1 },
    { id: 'b', cycles: null },
  ];
  const fetched: Row[] = [
    { id: 'new', cycles: 3 },
    { id: 'b', cycles: null },
    { id: 'a', cycles: 1 },
  ];
  const rows = await withKnownRows(known, fetched);
  expect(rows).toEqual(fetched);
  expect(rows[0]).toBe(fetched[0]);
  expect(rows[1]).toBe(known[1]);
  expect(rows[2]).toBe(known[0]);
});

test('a row with a changed, new or missing field is taken over', async () => {
  const known: Row[] = [{ id: 'a', cycles: 1 }];
  for (const changed of [
    { id: 'a', cycles: 2 },
    { id: 'a', cycles: 1, note: '' },
  ]) {
    expect((await withKnownRows(known, [changed]))[0]).toBe(changed);
  }
  expect((await withKnownRows([{ id: 'a', cycles: 1, note: '' }], known))[0]).toBe(known[0]);
  expect(await withKnownRows(undefined, known)).toBe(known);
});

test('a row is the same only if what is in its lists and objects is the same', async () => {
  const row = (tags: unknown, deploy: unknown = null) => ({ id: 'a', tags, deploy });
  const known = [row(['x', 'y'], { id: 'd', branch: null })];
  expect((await withKnownRows(known, [row(['x', 'y'], { id: 'd', branch: null })]))[0]).toBe(known[0]);
  for (const changed of [
    row(['x', 'z'], { id: 'd', branch: null }),
    row(['x'], { id: 'd', branch: null }),
    row({ 0: 'x', 1: 'y' }, { id: 'd', branch: null }),
    row(['x', 'y'], { id: 'd', branch: 'main' }),
    row(['x', 'y'], { id: 'd', other: null }),
    row(['x', 'y']),
    row(null, { id: 'd', branch: null }),
  ])
    expect((await withKnownRows(known, [changed]))[0]).toBe(changed);
});

test('a list in which nothing has changed is the list on show', async () => {
  const known: Row[] = [
    { id: 'a', cycles: 1 },
    { id: 'b', cycles: 2 },
  ];
  const [a, b] = known.map((row) => ({ ...row })) as [Row, Row];
  expect(await withKnownRows(known, [a, b])).toBe(known);
  expect(await withKnownRows(known, [b, a])).toEqual([b, a]);
  expect(await withKnownRows(known, [a])).toEqual([a]);
});

test('a long list is compared piece by piece, between which the page has time', async () => {
  const many = (cycles: number): Row[] =>
    Array.from({ length: 100_000 }, (_row, place) => ({ id: `row ${place}`, cycles }));
  const known = many(1);
  let turns = 0;
  const other = setInterval(() => {
    turns += 1;
  });
  const rows = await withKnownRows(known, [...many(1).slice(1), { id: 'row 0', cycles: 2 }]);
  clearInterval(other);
  expect(turns).toBeGreaterThan(0);
  expect(rows).toHaveLength(known.length);
  expect(rows[0]).toBe(known[1]);
  expect(rows.at(-1)).toEqual({ id: 'row 0', cycles: 2 });
});

test('[ERR-10] [API-17] a call that fails shows as an empty list, one that is under way as none yet', () => {
  expect(rowsToShow({ data: undefined, isError: true })).toEqual([]);
  expect(rowsToShow({ data: undefined, isError: false })).toBeUndefined();
});

test('rows that were shown stay when a later call fails', () => {
  expect(rowsToShow({ data: ['a'], isError: true })).toEqual(['a']);
});
