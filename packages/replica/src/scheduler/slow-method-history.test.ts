import { expect, test } from 'vitest';
import { SlowMethodHistory } from './slow-method-history.ts';

test('a method is heavy for a minute after it was, a canister while several of its methods are', () => {
  let now = 0;
  const habits = new SlowMethodHistory(() => now);
  habits.note('a', 'work');
  expect(habits.isHeavy('a', 'work')).toBe(true);
  expect(habits.isHeavy('a', 'other')).toBe(false);
  expect(habits.isHeavy('b', 'work')).toBe(false);
  now = 30_000;
  for (const method of ['second', 'third', 'fourth']) habits.note('a', method);
  expect(habits.isHeavy('a', 'other')).toBe(true);
  now = 61_000;
  expect(habits.isHeavy('a', 'work')).toBe(false);
  expect(habits.isHeavy('a', 'fourth')).toBe(true);
  now = 91_000;
  expect(habits.isHeavy('a', 'fourth')).toBe(false);
});

test('only a number of canisters is remembered: those seen last', () => {
  const habits = new SlowMethodHistory(() => 0);
  for (let n = 0; n <= 10_000; n++) habits.note(`canister ${n}`, 'work');
  expect(habits.isHeavy('canister 0', 'work')).toBe(false);
  expect(habits.isHeavy('canister 1', 'work')).toBe(true);
  expect(habits.isHeavy('canister 10000', 'work')).toBe(true);
});
