import { expect, test } from 'vitest';
import { RecentLists } from './recent-lists.ts';

function counted() {
  let time = 0;
  let made = 0;
  const lists = new RecentLists<number>(() => time);
  const ask = (owner = 'ada') =>
    lists.of(owner, async () => {
      made += 1;
      return made;
    });
  const pass = (ms: number) => {
    time += ms;
  };
  return { lists, ask, pass };
}

test('who asks in a loop gets one list for a second, whatever the case of the name', async () => {
  const { ask, pass } = counted();
  expect(await Promise.all([ask(), ask('Ada'), ask()])).toEqual([1, 1, 1]);
  pass(999);
  expect(await ask()).toBe(1);
  pass(1);
  expect(await ask()).toBe(2);
  expect(await ask('eve')).toBe(3);
});

test('a list is not given out after a change, also when it was begun before', async () => {
  const { lists, ask } = counted();
  const before = ask();
  lists.forget('ADA');
  expect(await Promise.all([before, ask()])).toEqual([1, 2]);
  expect(await ask()).toBe(2);
});

test('a list that could not be made is made again', async () => {
  const { lists, ask } = counted();
  await expect(lists.of('ada', () => Promise.reject(new Error('no disk')))).rejects.toThrow('no disk');
  expect(await ask()).toBe(1);
});
