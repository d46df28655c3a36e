import { expect, test } from 'vitest';
import { logText, withNewest, withOlder, type LogPage } from './log-pages.ts';

const page = (indexes: readonly number[], next: string | null): LogPage => ({
  records: indexes.map((index) => ({
    index: String(index),
    timestamp: '2026-01-02T03:04:05.000Z',
    content: `line ${index}`,
  })),
  next,
});
const indexes = ({ records }: LogPage): number[] => records.map(({ index }) => Number(index));

test('new records come on top of those already loaded, which stay', () => {
  const shown = withOlder(withNewest(undefined, page([9, 8], '8')), page([7, 6], '6'));
  expect(indexes(shown)).toEqual([9, 8, 7, 6]);
  const refreshed = withNewest(shown, page([10, 9], '9'));
  expect(indexes(refreshed)).toEqual([10, 9, 8, 7, 6]);
  expect(refreshed.next).toBe('6');
});

test('a refresh that brings nothing new changes nothing', () => {
  const shown = withOlder(page([3, 2], '2'), page([1, 0], null));
  expect(withNewest(shown, page([3, 2], '2'))).toEqual(shown);
});

test('a page that begins where the records on show end leaves no gap', () => {
  expect(indexes(withNewest(page([3, 2], '2'), page([5, 4], '4')))).toEqual([5, 4, 3, 2]);
});

test('records that would leave a gap are dropped, to be loaded again', () => {
  const refreshed = withNewest(page([3, 2], null), page([9, 8], '8'));
  expect(indexes(refreshed)).toEqual([9, 8]);
  expect(refreshed.next).toBe('8');
});

test('an empty log starts with its first records', () => {
  expect(indexes(withNewest(page([], null), page([0], null)))).toEqual([0]);
});

test('the copied text reads from old to new', () => {
  expect(logText(page([1, 0], null).records)).toBe(
    '2026-01-02T03:04:05.000Z line 0\n2026-01-02T03:04:05.000Z line 1',
  );
});
