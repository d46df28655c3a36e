import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { watchClient } from './slow-client.ts';

beforeEach(() => vi.useFakeTimers());
afterEach(() => vi.useRealTimers());

function watched(move: () => number, waiting: () => boolean): { slowAfter: number | null } {
  let bytes = 0;
  let seconds = 0;
  let slowAfter: number | null = null;
  const end = watchClient(
    () => ({ bytes, waiting: waiting() }),
    () => {
      slowAfter = seconds;
    },
  );
  for (; seconds < 600 && slowAfter === null; ) {
    seconds += 1;
    bytes += move();
    vi.advanceTimersByTime(1000);
  }
  end();
  return { slowAfter };
}

test('a client that sends or takes a byte a second is dropped within a minute', () => {
  expect(
    watched(
      () => 1,
      () => true,
    ).slowAfter,
  ).toBe(30);
});

test('a slow line is not a slow client, nor is one that waits for git', () => {
  expect(
    watched(
      () => 2048,
      () => true,
    ).slowAfter,
  ).toBeNull();
  expect(
    watched(
      () => 0,
      () => false,
    ).slowAfter,
  ).toBeNull();
});

test('whoever stops in the middle is dropped as well', () => {
  let second = 0;
  const { slowAfter } = watched(
    () => {
      second += 1;
      return second < 100 ? 1_000_000 : 0;
    },
    () => true,
  );
  expect(slowAfter).toBe(150);
});
