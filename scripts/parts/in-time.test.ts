import { expect, test } from 'vitest';
import { goesOf, runInTime } from './in-time.mjs';

const MINUTE = 60_000;
const files = Array.from({ length: 30 }, (_, at) => `file ${at}`);
const day = (at: number): Date => new Date(at * 86_400_000);

test('each file is in one go, and each day begins with another one', () => {
  const [first, second, third] = [0, 1, 2].map((at) => goesOf(files, day(at)));
  expect(first?.map((go) => go.length)).toEqual([12, 12, 6]);
  for (const goes of [first, second, third]) expect(goes?.flat().toSorted()).toEqual(files.toSorted());
  expect([first?.[0]?.[0], second?.[0]?.[0], third?.[0]?.[0]]).toEqual(['file 0', 'file 12', 'file 24']);
  expect(goesOf(files, day(3))).toEqual(first);
  expect(goesOf([], day(1))).toEqual([]);
});

async function ran(minutes: readonly number[], endMs: number, codes: readonly number[] = []) {
  let at = 0;
  const began: string[][] = [];
  const outcome = await runInTime(
    [['a'], ['b'], ['c', 'd']],
    async (go, place) => {
      began.push(go);
      at += (minutes[place] ?? 0) * MINUTE;
      return codes[place] ?? 0;
    },
    { endMs, now: () => at },
  );
  return { ...outcome, began };
}

test('all run where there is time, and the first failure counts', async () => {
  expect(await ran([3, 3, 3], 60 * MINUTE, [0, 2, 1])).toEqual({
    code: 2,
    left: [],
    began: [['a'], ['b'], ['c', 'd']],
  });
});

test('a go that would not end in time is left, with all behind it', async () => {
  expect(await ran([3, 4, 1], 10 * MINUTE)).toMatchObject({ left: ['c', 'd'], began: [['a'], ['b']] });
  expect(await ran([1, 1, 1], 5 * MINUTE)).toMatchObject({ left: [] });
  expect(await ran([1, 1, 1], 4 * MINUTE)).toMatchObject({ left: ['a', 'b', 'c', 'd'], began: [] });
});
