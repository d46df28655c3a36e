import { expect, test } from 'vitest';
import { blocksOf } from './pages.ts';
import { blockAt, leftOut, pages, places } from './plan.ts';

test('each block of the pages for operators is carried out by the walk, or left out with a reason', () => {
  const known = [...Object.values(places), ...leftOut].map(blockAt);
  expect(pages.flatMap(blocksOf).toSorted(byText)).toEqual(known.toSorted(byText));
});

function byText(one: { lines: string }, other: { lines: string }): number {
  return one.lines < other.lines ? -1 : 1;
}
