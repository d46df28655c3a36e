import { expect, test } from 'vitest';
import { verifyOnce } from './verify-once.ts';

const bytes = (...values: number[]): Uint8Array => Uint8Array.from(values);
const [key, signature, message] = [bytes(1), bytes(2), bytes(3)];

function counting(isGood: boolean) {
  let checks = 0;
  const verify = verifyOnce(() => {
    checks += 1;
    return isGood;
  });
  return { verify, checks: () => checks };
}

test('a good signature is checked once', () => {
  const { verify, checks } = counting(true);
  expect(verify(key, signature, message)).toBe(true);
  expect(verify(key, signature, message)).toBe(true);
  expect(checks()).toBe(1);
});

test('one byte more in any part, or moved from one part to the next, is another signature', () => {
  const { verify, checks } = counting(true);
  verify(key, signature, message);
  verify(bytes(1, 2), bytes(), message);
  verify(key, signature, bytes(3, 0));
  verify(key, bytes(2, 0), message);
  verify(bytes(0), signature, message);
  expect(checks()).toBe(5);
});

test('a bad signature stays bad, and is never kept', () => {
  const { verify, checks } = counting(false);
  expect(verify(key, signature, message)).toBe(false);
  expect(verify(key, signature, message)).toBe(false);
  expect(checks()).toBe(2);
});

test('the oldest are forgotten', () => {
  const { verify, checks } = counting(true);
  for (let number = 0; number < 300; number += 1) verify(key, signature, bytes(number % 256, number >> 8));
  verify(key, signature, bytes(299 % 256, 1));
  expect(checks()).toBe(300);
  verify(key, signature, bytes(0, 0));
  expect(checks()).toBe(301);
});
