import { expect, test } from 'vitest';
import { askedForBy, Tally, TIME_BOUNDS_MILLIS } from './tally.ts';

test('a request is what the last part of its address says, and of made-up ones nothing is kept', () => {
  const asked = [
    '/api/v4/canister/x/call',
    '/api/v2/canister/x/query',
    '/api/v3/subnet/x/read_state',
    '/api/v2/status',
  ];
  expect(asked.map(askedForBy)).toEqual(['call', 'query', 'read_state', 'other']);
  expect(askedForBy('/constructor')).toBe('other');
});

test('times are counted up to their bounds, and answers by their class', () => {
  const tally = new Tally();
  for (const [status, millis] of [
    [200, 1],
    [202, 1.1],
    [400, 10_000],
    [500, 10_001],
  ] as const)
    tally.answered('call', status, millis);
  const { requests, times } = tally.figures;
  expect(requests.call).toEqual({ ok: 2, refused: 1, failed: 1 });
  expect(times.call.counts).toEqual([1, 1, 0, 0, 0, 0, 1, 1]);
  expect(times.call.counts.length).toBe(TIME_BOUNDS_MILLIS.length + 1);
  expect(times.call.sumMillis).toBeCloseTo(20_003.1);
});
