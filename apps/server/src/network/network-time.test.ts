import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { AheadTime } from './network-time.ts';

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;

beforeEach(() => vi.useFakeTimers({ now: 1_000 * DAY }));
afterEach(() => {
  vi.useRealTimers();
});

test('what the network says first counts for all that was before, and each change from when it is heard', () => {
  const time = new AheadTime();
  expect([time.aheadMs(), time.aheadAt(Date.now()), time.now()]).toEqual([0, 0, Date.now()]);
  time.hear(MINUTE);
  expect(time.aheadAt(Date.now() - DAY)).toBe(MINUTE);
  vi.advanceTimersByTime(MINUTE);
  time.hear(DAY);
  expect(time.now()).toBe(Date.now() + DAY);
  expect(time.aheadAt(Date.now() - 1)).toBe(MINUTE);
  expect(time.aheadAt(Date.now())).toBe(DAY);
});

test('a change is remembered for as long as a call from before it may be made again, however many follow', () => {
  const time = new AheadTime();
  time.hear(0);
  vi.advanceTimersByTime(MINUTE);
  const before = Date.now() - 1;
  for (let jump = 1; jump <= 1_000; jump++) {
    time.hear(jump * DAY);
    vi.advanceTimersByTime(200);
  }
  expect(time.aheadAt(before)).toBe(0);
  expect(time.aheadMs()).toBe(1_000 * DAY);
  vi.advanceTimersByTime(60 * MINUTE);
  time.hear(2_000 * DAY);
  expect(time.aheadAt(Date.now() - MINUTE)).toBe(1_000 * DAY);
});
