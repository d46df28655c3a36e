import { expect, test } from 'vitest';
import { systemClock } from '../clock.ts';
import { Alarms } from './alarms.ts';

const MS = 1_000_000n;

test('alarms ring in time, once, and not after they were moved or cleared', async () => {
  const clock = systemClock();
  const alarms = new Alarms(clock);
  const rung: string[] = [];
  const now = clock.now();
  alarms.set('late', now + 60n * MS, () => rung.push('late'));
  alarms.set('early', now + 5n * MS, () => rung.push('early'));
  alarms.set('moved', now + 1n * MS, () => rung.push('moved too soon'));
  alarms.set('moved', now + 30n * MS, () => rung.push('moved'));
  alarms.set('cleared', now + 2n * MS, () => rung.push('cleared'));
  alarms.set('overdue', now - 1_000n * MS, () => rung.push('overdue'));
  alarms.clear('cleared');
  await expect.poll(() => rung, { timeout: 3_000 }).toEqual(['overdue', 'early', 'moved', 'late']);
  expect(alarms.has('late')).toBe(false);
  alarms.stop();
});

test('time never runs backwards', () => {
  const future = BigInt(Date.now() + 1_000_000) * MS;
  expect(systemClock(future).now()).toBe(future);
});
