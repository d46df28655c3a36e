import { deployTimers } from '@cannery/contract';
import { expect, test } from 'vitest';
import { configOf } from '../config/config.ts';
import { readEnv } from '../config/env.ts';
import { CallLimiter } from './call-limiter.ts';

const address = '127.0.0.1';
const { calls } = configOf(readEnv({}));

function countOf(work: () => void, times: number): { passed: number; waits: number[] } {
  let passed = 0;
  const waits: number[] = [];
  for (let index = 0; index < times; index += 1) {
    try {
      work();
      passed += 1;
    } catch (error) {
      waits.push((error as { retryAfterSeconds: number }).retryAfterSeconds);
    }
  }
  return { passed, waits };
}

test('ten open tabs of one user, each with every list and a running deploy, are never refused', async () => {
  let now = 0;
  const callLimiter = new CallLimiter({ ...calls, now: () => now });
  await callLimiter.identify({ credential: 'ada', address }, async () => ({ id: 'ada' }));
  const polls = [
    deployTimers.pollInstance,
    deployTimers.refreshLists,
    deployTimers.refreshLists,
    deployTimers.refreshLists,
    deployTimers.refreshLists,
  ];
  // All tabs tick together, and each is loaded again twice a minute with thirty calls at once.
  for (; now < 600_000; now += 1000) {
    const due = polls.filter((every) => now % every === 0).length + (now % 30_000 === 0 ? 30 : 0);
    for (let call = 0; call < due * 10; call += 1) callLimiter.count({ credential: 'ada', address });
  }
});

test('one user at full rate is refused; another one, and the address of both, are not', async () => {
  const callLimiter = new CallLimiter({ ...calls, now: () => 0 });
  for (const id of ['eve', 'ada']) {
    await callLimiter.identify({ credential: id, address }, async () => ({ id }));
  }
  const eve = countOf(() => callLimiter.count({ credential: 'eve', address }), 2000);
  expect(eve.passed).toBe(calls.callsPerSecond * 10);
  expect(new Set(eve.waits)).toEqual(new Set([1]));
  expect(countOf(() => callLimiter.count({ credential: 'ada', address }), 100).passed).toBe(100);
  expect(countOf(() => callLimiter.count({ credential: undefined, address }), 100).passed).toBe(100);
});

test('uploads of one user are let through at a rate of bytes, the first of any size, and others are not refused', async () => {
  let now = 0;
  const callLimiter = new CallLimiter({ ...calls, now: () => now });
  for (const id of ['eve', 'ada'])
    await callLimiter.identify({ credential: id, address }, async () => ({ id }));
  const upload = (credential: string, mebibytes: number) => () =>
    callLimiter.countUpload({ credential, address }, mebibytes * 1024 ** 2);
  // A module of the largest size is more than ten seconds are worth, and is paid for afterwards.
  expect(countOf(upload('eve', 100), 1)).toEqual({ passed: 1, waits: [] });
  const eve = countOf(upload('eve', 2), 100);
  expect(eve.waits[0]).toBeGreaterThan(1);
  expect(countOf(upload('ada', 100), 1).passed).toBe(1);
  expect(countOf(() => callLimiter.count({ credential: 'eve', address }), 10).passed).toBe(10);
  now = 600_000;
  // Whatever comes in a minute at full rate is no more than 8 MiB a second.
  let bytes = 0;
  for (const end = now + 60_000; now < end; now += 100) bytes += countOf(upload('eve', 2), 20).passed * 2;
  expect(bytes / 60).toBeLessThan(8 * 1.5);
  expect(bytes / 60).toBeGreaterThan(7);
});

test('whoever guesses tokens is stopped by address, whatever the tokens; a valid session goes on', async () => {
  const callLimiter = new CallLimiter({ callsPerSecond: 1_000_000, signInsPerMinute: 60, now: () => 0 });
  await callLimiter.identify({ credential: 'ada', address }, async () => ({ id: 'ada' }));
  let looked = 0;
  const guess = async (credential: string): Promise<void> => {
    callLimiter.count({ credential, address });
    await callLimiter.identify({ credential, address }, async () => {
      looked += 1;
      return undefined;
    });
  };
  const refused: unknown[] = [];
  for (let index = 0; index < 1000; index += 1) {
    await guess(`cnry_${index}`).catch((error: unknown) => refused.push(error));
  }
  expect([looked, refused.length]).toEqual([60, 940]);
  expect(refused[0]).toMatchObject({ code: 'rate_limited', retryAfterSeconds: 1 });
  callLimiter.count({ credential: 'ada', address });
  callLimiter.count({ credential: 'cnry_x', address: '10.0.0.9' });
});

test('a session that has ended counts as its address again', async () => {
  const callLimiter = new CallLimiter(calls);
  const sender = { credential: 'ada', address };
  await callLimiter.identify(sender, async () => ({ id: 'ada' }));
  expect(callLimiter.tenantOf(sender)).toBe('user:ada');
  await callLimiter.identify(sender, async () => undefined);
  expect(callLimiter.tenantOf(sender)).toBe('address:127.0.0.1');
});
