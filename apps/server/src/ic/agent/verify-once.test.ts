import { expect, test } from 'vitest';
import { verifyOnce } from './signature-thread.ts';

const bytes = (...values: number[]): Uint8Array => Uint8Array.from(values);
const [key, signature, message] = [bytes(1), bytes(2), bytes(3)];

function counting(isGood: boolean) {
  let checks = 0;
  const verify = verifyOnce(async () => {
    checks += 1;
    return isGood;
  });
  return { verify, checks: () => checks };
}

test('a good signature is checked once, while a check is under way too', async () => {
  const { verify, checks } = counting(true);
  const both = [verify(key, signature, message), verify(key, signature, message)];
  expect(await Promise.all(both)).toEqual([true, true]);
  expect(await verify(key, signature, message)).toBe(true);
  expect(checks()).toBe(1);
});

test('one byte more in any part, or moved from one part to the next, is another signature', async () => {
  const { verify, checks } = counting(true);
  await verify(key, signature, message);
  await verify(bytes(1, 2), bytes(), message);
  await verify(key, signature, bytes(3, 0));
  await verify(key, bytes(2, 0), message);
  await verify(bytes(0), signature, message);
  expect(checks()).toBe(5);
});

test('a bad signature stays bad, and is never kept', async () => {
  const { verify, checks } = counting(false);
  expect(await verify(key, signature, message)).toBe(false);
  expect(await verify(key, signature, message)).toBe(false);
  expect(checks()).toBe(2);
});

test('a check that fails is never kept', async () => {
  let checks = 0;
  const verify = verifyOnce(async () => {
    checks += 1;
    if (checks === 1) throw new Error('no thread');
    return true;
  });
  await expect(verify(key, signature, message)).rejects.toThrow('no thread');
  expect(await verify(key, signature, message)).toBe(true);
});

test('the oldest are forgotten', async () => {
  const { verify, checks } = counting(true);
  for (let number = 0; number < 300; number += 1)
    await verify(key, signature, bytes(number % 256, number >> 8));
  await verify(key, signature, bytes(299 % 256, 1));
  expect(checks()).toBe(300);
  await verify(key, signature, bytes(0, 0));
  expect(checks()).toBe(301);
});
