import { expect, test } from 'vitest';
import { largeTurn } from './loop-line.ts';

test('of large requests one is read in a turn of the event loop, in their order, and small ones do not wait', async () => {
  let turn = 0;
  let counts = true;
  const count = (): void => {
    turn += 1;
    if (counts) setImmediate(count);
  };
  setImmediate(count);
  const read: [name: string, turn: number][] = [];
  const sizes = [100_000, 10, 100_000, 100_000];
  await Promise.all(
    sizes.map(async (bytes, index) => {
      await largeTurn(bytes);
      read.push([`${index}`, turn]);
    }),
  );
  counts = false;
  expect(read.map(([name]) => name)).toEqual(['1', '0', '2', '3']);
  const turns = read.slice(1).map(([, at]) => at);
  expect(new Set(turns).size).toBe(turns.length);
});
