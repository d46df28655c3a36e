import { setTimeout as delay } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { eachOf } from './each-of.ts';

async function* later(items: readonly number[]): AsyncGenerator<number> {
  for (const item of items) {
    await delay(1);
    yield item;
  }
}

test.each([
  ['a list', (items: number[]) => items],
  ['what comes one after the other', later],
])('each of %s is done once, and no more at a time than asked for', async (_what, source) => {
  const items = Array.from({ length: 20 }, (_, place) => place);
  const done: number[] = [];
  let [underWay, most] = [0, 0];
  await eachOf(source(items), 3, async (item) => {
    underWay += 1;
    most = Math.max(most, underWay);
    await delay(3);
    underWay -= 1;
    done.push(item);
  });
  expect(done.toSorted((a, b) => a - b)).toEqual(items);
  expect(most).toBe(3);
});

test('the first that fails ends it', async () => {
  const fails = eachOf([1, 2, 3], 2, async (item) => {
    if (item === 2) throw new Error('two');
    await delay(1);
  });
  await expect(fails).rejects.toThrow('two');
});
