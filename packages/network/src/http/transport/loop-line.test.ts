import { setImmediate as turn } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { LoopLine, turnsOf } from './loop-line.ts';

test('a few begin in each turn, in order, and each stands in line once', async () => {
  const begun: number[] = [];
  const line = new LoopLine<number>(3, (item) => begun.push(item));
  for (const item of [1, 2, 2, 3, 4, 5, 6, 7]) line.add(item);
  line.delete(5);
  expect(begun).toEqual([]);
  await turn();
  expect(begun).toEqual([1, 2, 3]);
  await turn();
  expect(begun).toEqual([1, 2, 3, 4, 6, 7]);
});

test('one that stands in line again is behind all others', async () => {
  const begun: string[] = [];
  const line: LoopLine<string> = new LoopLine(2, (item) => {
    begun.push(item);
    if (begun.length < 5) line.add(item);
  });
  line.add('a');
  line.add('b');
  line.add('c');
  for (let count = 0; count < 6; count += 1) await turn();
  expect(begun).toEqual(['a', 'b', 'c', 'a', 'b', 'c', 'a']);
});

test('those who wait for a promise get their turns in the same way', async () => {
  const next = turnsOf(2);
  let count = 0;
  for (let index = 0; index < 5; index += 1) void next().then(() => (count += 1));
  const seen: number[] = [];
  for (let index = 0; index < 4; index += 1) {
    await turn();
    seen.push(count);
  }
  expect(seen).toEqual([2, 4, 5, 5]);
});
