import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { NowAndThen } from './now-and-then.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

test('the first is passed on at once, and what comes in the pause once, at its end', () => {
  const passed: string[] = [];
  const seldom = new NowAndThen(1_000, (thing) => passed.push(thing));
  for (let times = 0; times < 100; times += 1) {
    seldom.add('a');
    vi.advanceTimersByTime(5);
  }
  expect(passed).toEqual(['a']);
  seldom.add('b');
  vi.advanceTimersByTime(500);
  expect(passed).toEqual(['a', 'a', 'b']);
  vi.advanceTimersByTime(1_000);
  seldom.add('a');
  expect(passed).toEqual(['a', 'a', 'b', 'a']);
});

test('nothing is passed on after the end', () => {
  const passed: string[] = [];
  const seldom = new NowAndThen(1_000, (thing) => passed.push(thing));
  seldom.add('a');
  seldom.add('a');
  seldom.stop();
  vi.advanceTimersByTime(5_000);
  expect(passed).toEqual(['a']);
});
