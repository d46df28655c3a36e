import { expect, test } from 'vitest';
import { readTableState, tableFields } from './table-state.ts';

const sizes = { sizes: [5, 10, 25], startSize: 5 } as const;

test('a list that shows what it shows at first says nothing in the address', () => {
  expect(readTableState({}, sizes)).toEqual({ sorting: undefined, page: 0, size: 5 });
  expect(tableFields(readTableState({}, sizes), 5)).toEqual({});
});

test('sorting, page and size come back from the address', () => {
  const state = { sorting: { column: 'name', direction: 'desc' }, page: 2, size: 10 } as const;
  expect(tableFields(state, 5)).toEqual({ sort: '-name', page: '3', size: '10' });
  expect(readTableState(tableFields(state, 5), sizes)).toEqual(state);
});

test.each(['0', '-1', '1e9', '99999999999', 'two', ''])(
  'a page %o of the address is the first one',
  (page) => {
    expect(readTableState({ page }, sizes).page).toBe(0);
  },
);

test('a size that is not on offer is the one at first', () => {
  expect(readTableState({ size: '1000000' }, sizes).size).toBe(5);
});
