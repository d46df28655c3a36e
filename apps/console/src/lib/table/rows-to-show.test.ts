import { expect, test } from 'vitest';
import { rowsToShow } from './rows-to-show.ts';

test('[ERR-10] [API-17] a call that fails shows as an empty list, one that is under way as none yet', () => {
  expect(rowsToShow({ data: undefined, isError: true })).toEqual([]);
  expect(rowsToShow({ data: undefined, isError: false })).toBeUndefined();
});

test('rows that were shown stay when a later call fails', () => {
  expect(rowsToShow({ data: ['a'], isError: true })).toEqual(['a']);
});
