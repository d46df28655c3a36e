import { setTimeout as delay } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { RepositoryHolds } from './repository-holds.ts';

test('a repository is not moved while somebody reads it, and is read at its new place afterwards', async () => {
  const holds = new RepositoryHolds();
  let place = 'a';
  const find = async () => ({ gitDir: place });
  const seen: string[] = [];
  const first = Promise.withResolvers<void>();
  const reading = holds.read(find, async ({ gitDir }) => {
    await first.promise;
    seen.push(`read ${gitDir}`);
  });
  await delay(0);
  const moving = holds.move('a', 10_000, async () => {
    seen.push('moved');
    place = 'b';
  });
  const later = holds.read(find, async ({ gitDir }) => seen.push(`read ${gitDir}`));
  await delay(5);
  expect(seen).toEqual([]);
  first.resolve();
  await Promise.all([reading, moving, later]);
  expect(seen).toEqual(['read a', 'moved', 'read b']);
});

test('it gives up when readers do not end in time, and they are not disturbed', async () => {
  const holds = new RepositoryHolds();
  const end = Promise.withResolvers<void>();
  const reading = holds.read(
    async () => ({ gitDir: 'a' }),
    async () => end.promise,
  );
  await delay(0);
  expect(await holds.move('a', 5, async () => 'moved')).toBeNull();
  end.resolve();
  await reading;
  expect(await holds.move('a', 5, async () => 'moved')).toEqual({ done: 'moved' });
});

test('of two that move it one is refused, and an error leaves it free', async () => {
  const holds = new RepositoryHolds();
  const both = [holds.move('a', 5, () => delay(5, 1)), holds.move('a', 5, () => delay(5, 2))];
  expect(await Promise.all(both)).toEqual([{ done: 1 }, null]);
  await expect(holds.move('a', 5, () => Promise.reject(new Error('no')))).rejects.toThrow('no');
  await expect(
    holds.read(
      async () => ({ gitDir: 'a' }),
      () => Promise.reject(new Error('not that')),
    ),
  ).rejects.toThrow('not that');
  expect(await holds.move('a', 5, async () => 3)).toEqual({ done: 3 });
});

test('a repository that was moved between the look and the hold is read at its new place', async () => {
  const holds = new RepositoryHolds();
  const places = ['a', 'b'];
  const find = async () => ({ gitDir: places.shift() ?? 'b' });
  expect(await holds.read(find, async ({ gitDir }) => gitDir)).toBe('b');
  expect(await holds.move('a', 5, async () => 'free')).toEqual({ done: 'free' });
});
