import { beforeEach, expect, test } from 'vitest';
import { LeasedBuckets, type LendTokens } from './leased-buckets.ts';
import { TokenBuckets } from './token-buckets.ts';

let now = 0;
let asked = 0;
let isAway = false;
beforeEach(() => {
  now = 0;
  asked = 0;
  isAway = false;
});

/** A common bucket, as the database keeps it (`0060-rates.ts`). */
function commonBucket({ perSecond, burst }: { perSecond: number; burst: number }): LendTokens {
  let tokens = burst;
  let at = now;
  return async ({ spent, wanted }) => {
    asked += 1;
    await Promise.resolve();
    if (isAway) throw new Error('away');
    tokens = Math.min(burst, tokens + ((now - at) / 1000) * perSecond - spent);
    at = now;
    if (tokens < 1) return { granted: 0, waitMs: ((1 - tokens) / perSecond) * 1000 };
    const granted = Math.min(tokens, wanted);
    tokens -= granted;
    return { granted, waitMs: 0 };
  };
}

function processes(count: number, settings: { perSecond: number; burst: number; debt?: number }) {
  const lend = commonBucket(settings);
  return Array.from({ length: count }, () => new LeasedBuckets('calls', settings, { lend, now: () => now }));
}

test('two processes together let through what one bucket holds, and then what time earns', async () => {
  const settings = { perSecond: 5, burst: 100 };
  const both = processes(2, settings);
  const passed = async (calls: number): Promise<number> => {
    let count = 0;
    for (let call = 0; call < calls; call += 1) {
      if ((await both[call % 2]?.take('ada')) === 0) count += 1;
    }
    return count;
  };
  // What one of them holds and the other one asks for is missing, never too much.
  const first = await passed(400);
  expect(first).toBeLessThanOrEqual(100);
  expect(first).toBeGreaterThanOrEqual(100 - 6);
  let earned = 0;
  for (let second = 1; second <= 60; second += 1) {
    now = second * 1000;
    earned += await passed(40);
  }
  expect(first + earned).toBeLessThanOrEqual(100 + 60 * 5);
  expect(first + earned).toBeGreaterThanOrEqual(100 + 60 * 5 - 20);
});

test('most calls ask nobody, and a refusal asks nobody for a while', async () => {
  const [one] = processes(1, { perSecond: 50, burst: 500 });
  let atOnce = 0;
  for (let call = 0; call < 450; call += 1) {
    const wait = one?.take('ada');
    if (wait === 0) atOnce += 1;
    else expect(await wait).toBe(0);
    // The next portion arrives meanwhile.
    await new Promise((resolve) => setImmediate(resolve));
  }
  expect(atOnce).toBe(449);
  expect(asked).toBeLessThan(35);
  for (let call = 0; call < 100; call += 1) await one?.take('ada');
  const before = asked;
  for (let call = 0; call < 1000; call += 1) expect(one?.take('ada')).toBe(1);
  expect(asked).toBe(before);
});

test('what is not used goes back, so that who calls now and then loses nothing', async () => {
  const [one] = processes(1, { perSecond: 1, burst: 160 });
  // Half of the rate, each call after the portion has grown old.
  for (let call = 0; call < 100; call += 1) {
    now += 20_000;
    for (let part = 0; part < 10; part += 1) expect(await one?.take('ada')).toBe(0);
  }
});

test('what one process owes another one is made to wait for', async () => {
  const [first, second] = processes(2, { perSecond: 10, burst: 100, debt: 1000 });
  expect(await first?.take('ada', 500)).toBe(0);
  await new Promise((resolve) => setImmediate(resolve));
  expect(await second?.take('ada', 1)).toBeGreaterThanOrEqual(40);
  now = 41_000;
  expect(await second?.take('ada', 1)).toBe(0);
});

test('what has happened already is paid for, however many looked at the last token', async () => {
  const [first, second] = processes(2, { perSecond: 1, burst: 10, debt: 100 });
  for (let look = 0; look < 40; look += 1) expect(await first?.wait('a')).toBe(0);
  for (let guess = 0; guess < 40; guess += 1) first?.charge('a');
  await new Promise((resolve) => setImmediate(resolve));
  expect(await second?.wait('a')).toBeGreaterThanOrEqual(30);
  now = 29_000;
  expect(await second?.wait('a')).toBeGreaterThan(0);
  now = 32_000;
  expect(await second?.wait('a')).toBe(0);
});

test('a look takes nothing', async () => {
  const [first, second] = processes(2, { perSecond: 0.001, burst: 3 });
  for (let look = 0; look < 10; look += 1) expect(await first?.wait('a')).toBe(0);
  const taken = [];
  for (let take = 0; take < 3; take += 1) taken.push(await first?.take('a'));
  expect(taken).toEqual([0, 0, 0]);
  expect(await second?.wait('a')).toBeGreaterThan(100);
  expect(await first?.wait('a')).toBeGreaterThan(100);
});

test('while the common bucket cannot be asked a process counts alone, and asks again later', async () => {
  const [one] = processes(1, { perSecond: 1, burst: 10 });
  const local = new TokenBuckets({ perSecond: 1, burst: 10, now: () => now });
  isAway = true;
  for (let call = 0; call < 30; call += 1) {
    expect((await one?.take('ada')) === 0).toBe(local.take('ada') === 0);
  }
  expect(asked).toBe(1);
  isAway = false;
  now = 1001;
  expect(await one?.take('ada')).toBe(0);
  expect(asked).toBe(2);
});
