import { QueryObserver } from '@tanstack/react-query';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { ApiError } from '../lib/api/api-error.ts';
import { createQueryClient } from './query-client.ts';

beforeEach(() => vi.useFakeTimers());
afterEach(() => vi.useRealTimers());

/** Seconds at which a list is asked for in a minute, when every answer has this status; 0 when none comes. */
async function askedAt(status: number): Promise<number[]> {
  const client = createQueryClient();
  const start = Date.now();
  const asked: number[] = [];
  const observer = new QueryObserver(client, {
    queryKey: ['list'],
    queryFn: async () => {
      asked.push((Date.now() - start) / 1000);
      if (status === 0) throw ApiError.unreachable(new TypeError('Failed to fetch'));
      throw ApiError.fromAnswer(status, { code: 'x', error: 'No.', message: 'No.', next_step: 'Wait.' });
    },
  });
  const end = observer.subscribe(() => {});
  await vi.advanceTimersByTimeAsync(60_000);
  end();
  client.clear();
  return asked;
}

test('a list that is refused because it was asked for too often is asked for later and later', async () => {
  expect(await askedAt(429)).toEqual([0, 2, 6, 14, 30]);
  expect(await askedAt(400)).toEqual([0]);
});

test('a service that is not reached, or is being restarted, is asked once more', async () => {
  expect(await askedAt(0)).toEqual([0, 0.5]);
  expect(await askedAt(503)).toEqual([0, 0.5]);
});
