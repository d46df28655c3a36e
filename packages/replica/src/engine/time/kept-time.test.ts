import { expect, test } from 'vitest';
import { NEW_SUBNET } from '../../state/subnet-state.ts';
import { KEPT_EVERY_NANOS, openTime } from './kept-time.ts';

const DAY = 86_400_000_000_000n;
const now = (): bigint => BigInt(Date.now()) * 1_000_000n;

test('after a kill with an earlier clock time goes on where no query can have been, after a close where it was', () => {
  const later = now() + DAY;
  const record = { ...NEW_SUBNET, timeNanos: later };
  const opened = (closedAtNanos: bigint): bigint => openTime({}, { ...record, closedAtNanos }).now() - later;
  expect(opened(later - 1n)).toBeGreaterThanOrEqual(KEPT_EVERY_NANOS);
  expect(opened(later)).toBeGreaterThanOrEqual(0n);
  expect(opened(later)).toBeLessThan(KEPT_EVERY_NANOS / 10n);
});

test('where the clock has run on, time is the one of the clock, however the network ended', () => {
  const record = { ...NEW_SUBNET, timeNanos: now() - DAY };
  const apart = openTime({}, record).now() - now();
  expect(apart < 0n ? -apart : apart).toBeLessThan(KEPT_EVERY_NANOS / 10n);
});

test('a time that stands still stays what it was', () => {
  const timeNanos = now() + DAY;
  expect(openTime({ stopTime: true }, { ...NEW_SUBNET, timeNanos }).now()).toBe(timeNanos);
});
