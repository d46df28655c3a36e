import { expect, test } from 'vitest';
import { Looks } from './looks.ts';

test('a thousand who look come to one look a second', async () => {
  let now = 0;
  let looked = 0;
  const looks = new Looks<number>(() => now);
  const look = async (): Promise<number> => ++looked;
  const all = await Promise.all(Array.from({ length: 1_000 }, () => looks.ask('first page', look)));
  expect(new Set(all)).toEqual(new Set([1]));
  now = 999;
  expect(await looks.ask('first page', look)).toBe(1);
  now = 1_001;
  expect(await looks.ask('first page', look)).toBe(2);
});

test('who looks at different things waits, and too many are turned away', async () => {
  const looks = new Looks<number>();
  let looked = 0;
  const begun = performance.now();
  const answers = await Promise.all(
    Array.from({ length: 200 }, (_each, page) => looks.ask(`page ${page}`, async () => ++looked)),
  );
  expect(answers.filter((answer) => answer === undefined).length).toBe(180);
  expect(looked).toBe(20);
  expect(performance.now() - begun).toBeGreaterThan(1_800);
});

test('a look that fails does not keep the next one from looking', async () => {
  const looks = new Looks<number>();
  await expect(
    looks.ask('one', async () => {
      throw new Error('gone');
    }),
  ).rejects.toThrow('gone');
  expect(await looks.ask('two', async () => 2)).toBe(2);
});
