import { expect, test } from 'vitest';
import { DEFAULT_PAGE_SIZE, pageOf, pageSizes } from './paging.ts';

const rows = Array.from({ length: 12 }, (_, index) => index + 1);

test('[CONST-02] the page sizes are 5, 10 and 25, 5 at first', () => {
  expect(pageSizes).toEqual([5, 10, 25]);
  expect(DEFAULT_PAGE_SIZE).toBe(5);
});

test('[CAN-08] a page holds its rows and says which they are', () => {
  expect(pageOf(rows, 0, 5)).toEqual({ rows: [1, 2, 3, 4, 5], index: 0, count: 3, first: 1, last: 5 });
  expect(pageOf(rows, 2, 5)).toMatchObject({ rows: [11, 12], first: 11, last: 12 });
  expect(pageOf(rows, 0, 25)).toMatchObject({ count: 1, last: 12 });
});

test('a page that has gone falls back to the last one', () => {
  expect(pageOf(rows.slice(0, 6), 2, 5)).toMatchObject({ index: 1, rows: [6] });
  expect(pageOf([], 3, 5)).toEqual({ rows: [], index: 0, count: 1, first: 0, last: 0 });
});
