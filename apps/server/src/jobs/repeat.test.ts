import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { repeat } from './repeat.ts';

beforeEach(() => vi.useFakeTimers());
afterEach(() => vi.useRealTimers());

test('work is done at once, and again a pause after its end, never twice at the same time', async () => {
  const ends: (() => void)[] = [];
  const repeated = repeat(() => new Promise<void>((resolve) => ends.push(resolve)), {
    pauseMs: 100,
    failed: () => undefined,
  });
  expect(ends).toHaveLength(1);
  await vi.advanceTimersByTimeAsync(1_000);
  expect(ends, 'the first is still under way').toHaveLength(1);
  ends[0]?.();
  await vi.advanceTimersByTimeAsync(99);
  expect(ends).toHaveLength(1);
  await vi.advanceTimersByTimeAsync(1);
  expect(ends).toHaveLength(2);
  ends[1]?.();
  await repeated.stop();
  await vi.advanceTimersByTimeAsync(1_000);
  expect(ends).toHaveLength(2);
});

test('a failure is told, and the work goes on; the pause may depend on what it came to', async () => {
  const results = ['short', new Error('lost'), 'long', 'short'];
  const seen: unknown[] = [];
  const pauses: unknown[] = [];
  const repeated = repeat(
    async () => {
      const result = results.shift();
      seen.push(result);
      if (result instanceof Error) throw result;
      return result;
    },
    {
      pauseMs: (result) => {
        pauses.push(result);
        return result === 'long' ? 1_000 : 10;
      },
      failed: (error) => seen.push(['told', error]),
    },
  );
  await vi.advanceTimersByTimeAsync(25);
  expect(seen).toEqual(['short', new Error('lost'), ['told', new Error('lost')], 'long']);
  await vi.advanceTimersByTimeAsync(900);
  expect(seen).toHaveLength(4);
  await vi.advanceTimersByTimeAsync(100);
  expect(seen.at(-1)).toBe('short');
  expect(pauses).toEqual(['short', undefined, 'long', 'short']);
  await repeated.stop();
});

test('to stop is to wait for what is under way, whose failure is told to nobody', async () => {
  let fail: (error: Error) => void = () => undefined;
  const told: unknown[] = [];
  const repeated = repeat(() => new Promise<void>((_, reject) => (fail = reject)), {
    pauseMs: 1,
    failed: (error) => told.push(error),
  });
  let isOver = false;
  const stopping = repeated.stop().then(() => (isOver = true));
  await vi.advanceTimersByTimeAsync(10);
  expect(isOver).toBe(false);
  fail(new Error('the database is gone'));
  await stopping;
  expect(told).toEqual([]);
});
