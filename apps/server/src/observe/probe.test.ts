import { setTimeout as delay } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { Probe } from './probe.ts';
import { Sampled } from './sampled.ts';

test('a look that hangs is answered in time, and is not followed by others', async () => {
  let looks = 0;
  let end = (): void => undefined;
  const probe = new Probe(() => {
    looks += 1;
    return new Promise((resolve) => (end = () => resolve(undefined)));
  }, 50);
  const findings = await Promise.all(Array.from({ length: 100 }, () => probe.find()));
  for (const { ok, reason } of findings)
    expect([ok, reason]).toEqual([false, expect.stringMatching(/^It has not answered for \d/)]);
  // Later ones do not wait once more.
  expect((await probe.find()).ok).toBe(false);
  expect(looks).toBe(1);
  end();
  await delay(0);
  expect((await probe.find()).ok).toBe(true);
});

test('a reason is a sentence of ours, never the text of an error', async () => {
  const refused = Object.assign(new Error('postgres://cannery:hunter2@db refused'), { code: 'ECONNREFUSED' });
  expect(await new Probe(() => Promise.reject(refused)).find()).toMatchObject({
    ok: false,
    reason: 'It failed (ECONNREFUSED).',
  });
  expect(await new Probe(() => Promise.reject(new Error('hunter2'))).find()).toMatchObject({
    reason: 'It failed.',
  });
  expect(await new Probe(async () => ({ reason: 'Busy.', isWell: true })).find()).toMatchObject({
    ok: true,
    reason: 'Busy.',
  });
});

test('a value is read once in a while, once at a time, and forgotten when it cannot be read', async () => {
  let reads = 0;
  let fails = false;
  const value = new Sampled(30, async () => {
    reads += 1;
    await delay(5);
    if (fails) throw new Error('away');
    return reads;
  });
  expect(await Promise.all([value.get(), value.get(), value.get()])).toEqual([1, 1, 1]);
  expect(await value.get()).toBe(1);
  await delay(50);
  fails = true;
  expect(await value.get()).toBeUndefined();
  expect(reads).toBe(2);
});
