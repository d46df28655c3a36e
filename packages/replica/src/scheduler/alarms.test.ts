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
  await expect.poll(() => rung).toEqual(['overdue', 'early', 'moved', 'late']);
  expect(alarms.has('late')).toBe(false);
  alarms.stop();
});

test('the next alarm is the earliest of those that are set, whatever was set, moved and cleared before', () => {
  const alarms = new Alarms({ now: () => 0n });
  const due = new Map<string, bigint>();
  let seed = 1;
  const random = (below: number): number => {
    seed = (seed * 48_271) % 2_147_483_647;
    return seed % below;
  };
  for (let step = 0; step < 5_000; step++) {
    const name = `alarm ${random(200)}`;
    if (random(3) === 0) {
      alarms.clear(name);
      due.delete(name);
    } else {
      const at = BigInt(1 + random(1_000_000)) * 1_000_000_000n;
      alarms.set(name, at, () => undefined);
      due.set(name, at);
    }
    const earliest = [...due.values()].reduce<bigint | undefined>(
      (least, at) => (least === undefined || at < least ? at : least),
      undefined,
    );
    expect(alarms.next).toBe(earliest);
  }
  alarms.stop();
  expect(alarms.next).toBeUndefined();
});

test('what has become due while the machine slept, or since its clock was put forward, rings within a second', async () => {
  const hour = 3_600_000n * MS;
  const time = { nanos: 1n };
  const alarms = new Alarms({ now: () => time.nanos });
  let rang = false;
  alarms.set('in an hour', hour, () => {
    rang = true;
  });
  time.nanos = 8n * hour;
  await expect.poll(() => rang, { timeout: 1_500 }).toBe(true);
  alarms.stop();
});

test('time never runs backwards', () => {
  const future = BigInt(Date.now() + 1_000_000) * MS;
  expect(systemClock(future).now()).toBe(future);
});
