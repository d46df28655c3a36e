import { expect, test } from 'vitest';
import { TokenBuckets } from './token-buckets.ts';

test('a burst, then a steady rate, for each key alone', () => {
  let now = 0;
  const buckets = new TokenBuckets({ perSecond: 2, burst: 5, now: () => now });
  const taken = (key: string, times: number) => Array.from({ length: times }, () => buckets.take(key));
  expect(taken('a', 7)).toEqual([0, 0, 0, 0, 0, 1, 1]);
  expect(taken('b', 1)).toEqual([0]);
  now += 1000;
  expect(buckets.wait('a')).toBe(0);
  expect(taken('a', 3)).toEqual([0, 0, 1]);
  now += 1_000_000;
  expect(taken('a', 6)).toEqual([0, 0, 0, 0, 0, 1]);
});

test('what has happened already is owed, up to a bound', () => {
  let now = 0;
  const buckets = new TokenBuckets({ perSecond: 1, burst: 5, debt: 20, now: () => now });
  for (let charge = 0; charge < 15; charge += 1) buckets.charge('a');
  expect(buckets.wait('a')).toBe(11);
  for (let charge = 0; charge < 100; charge += 1) buckets.charge('a');
  expect(buckets.wait('a')).toBe(21);
  now += 21_000;
  expect(buckets.take('a')).toBe(0);
});

test('a slow rate tells how long to wait', () => {
  const buckets = new TokenBuckets({ perSecond: 3 / 60, burst: 1, now: () => 0 });
  expect([buckets.take('a'), buckets.take('a'), buckets.wait('a'), buckets.wait('b')]).toEqual([
    0, 20, 20, 0,
  ]);
});

test('however many keys there are, a busy one keeps its bucket', () => {
  const buckets = new TokenBuckets({ perSecond: 1, burst: 2, now: () => 0 });
  let refused = 0;
  for (let key = 0; key < 300_000; key += 1) {
    buckets.take(`address:${key}`);
    if (key % 10_000 === 0 && buckets.take('busy') > 0) refused += 1;
  }
  expect(refused).toBe(28);
});
