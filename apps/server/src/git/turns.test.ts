import { expect, test } from 'vitest';
import { Turns } from './turns.ts';

test('no more than allowed run at once, all run, in their order, and a failure gives its turn on', async () => {
  const turns = new Turns(3);
  const order: number[] = [];
  let running = 0;
  let most = 0;
  const work = Array.from({ length: 20 }, (_, index) =>
    turns.take(async () => {
      order.push(index);
      running += 1;
      most = Math.max(most, running);
      await new Promise((resolve) => setImmediate(resolve));
      running -= 1;
      if (index % 4 === 0) throw new Error(`${index}`);
      return index;
    }),
  );
  const ended = await Promise.allSettled(work);
  expect(most).toBe(3);
  expect(order).toEqual(Array.from({ length: 20 }, (_, index) => index));
  expect(ended.filter(({ status }) => status === 'rejected')).toHaveLength(5);
  expect(await turns.take(async () => 'again')).toBe('again');
});
