import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { NetworkClock } from './network-time.ts';

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;

beforeEach(() => vi.useFakeTimers({ now: 1_000 * DAY }));
afterEach(() => {
  vi.useRealTimers();
});

const rightClock = (): NetworkClock => new NetworkClock({ isRight: true });
/** Sets the clock without letting time pass. */
const setClock = (byMs: number): void => {
  vi.setSystemTime(Date.now() + byMs);
};

test('what the network says first counts for all that was before, and each change from when it is heard', () => {
  const time = rightClock();
  expect([time.aheadMs(), time.setAheadAt(Date.now()), time.now()]).toEqual([0, 0, Date.now()]);
  time.hear(MINUTE);
  expect(time.setAheadAt(Date.now() - DAY)).toBe(MINUTE);
  vi.advanceTimersByTime(MINUTE);
  time.hear(DAY);
  expect(time.now()).toBe(Date.now() + DAY);
  expect(time.clock()).toBe(Date.now());
  expect(time.setAheadAt(Date.now() - 1)).toBe(MINUTE);
  expect(time.setAheadAt(Date.now())).toBe(DAY);
});

test('a change is remembered for as long as a call from before it may be made again, however many follow', () => {
  const time = rightClock();
  time.hear(0);
  vi.advanceTimersByTime(MINUTE);
  const before = Date.now() - 1;
  for (let jump = 1; jump <= 1_000; jump++) {
    time.hear(jump * DAY);
    vi.advanceTimersByTime(200);
  }
  expect(time.setAheadAt(before)).toBe(0);
  expect(time.aheadMs()).toBe(1_000 * DAY);
  vi.advanceTimersByTime(60 * MINUTE);
  time.hear(2_000 * DAY);
  expect(time.setAheadAt(Date.now() - MINUTE)).toBe(1_000 * DAY);
});

test('a clock that was set is in doubt until the network has certified its time, and then corrected', async () => {
  const time = rightClock();
  const real = Date.now();
  expect(time.isInDoubt()).toBe(false);
  for (const off of [DAY, -DAY, 0.5 * MINUTE, 0]) {
    vi.setSystemTime(real + off);
    expect(time.isInDoubt(), String(off)).toBe(true);
    await time.ask(async () => new Date(real - 1_000));
    expect(time.isInDoubt(), String(off)).toBe(false);
    expect(Math.abs(time.now() - real), String(off)).toBeLessThanOrEqual(1_000);
    expect(time.clock()).toBe(time.now());
  }
  expect(time.aheadMs(), 'a clock that is right is believed').toBe(0);
});

test('a correction is believed for half a minute only, since the clock may be set right little by little', async () => {
  const time = new NetworkClock({ isRight: false });
  expect(time.isInDoubt(), 'before the first answer').toBe(true);
  const begun = Date.now();
  await time.ask(async () => new Date(begun));
  vi.advanceTimersByTime(MINUTE);
  expect(time.isInDoubt(), 'a clock that is right').toBe(false);
  await time.ask(async () => new Date(begun + DAY));
  expect(time.isInDoubt()).toBe(false);
  vi.advanceTimersByTime(MINUTE);
  expect(time.isInDoubt(), 'a clock that is wrong').toBe(true);
});

test('a certificate that tells first that an embedded network was set ahead does not count twice', async () => {
  const time = rightClock();
  time.hear(0);
  await time.ask(async () => new Date(Date.now() + DAY));
  expect(time.aheadMs()).toBe(DAY);
  time.hear(DAY);
  expect(time.aheadMs()).toBe(DAY);

  await time.ask(async () => {
    const before = new Date(time.now());
    time.hear(2 * DAY);
    return before;
  });
  expect(time.aheadMs(), 'of a certificate from before').toBe(2 * DAY);
});

test('an answer that is older than one before is not believed, except of another network', async () => {
  const time = rightClock();
  const real = Date.now();
  await time.ask(async () => new Date(real));
  setClock(DAY);
  await expect(time.ask(async () => new Date(real - MINUTE))).rejects.toMatchObject({
    code: 'network_unavailable',
  });
  expect(time.isInDoubt()).toBe(true);
  time.forget();
  await time.ask(async () => new Date(real - MINUTE));
  expect(time.now()).toBe(real - MINUTE);
});

test('one question serves everybody who asks meanwhile, and a failed one is asked again', async () => {
  const time = new NetworkClock({ isRight: false });
  let asked = 0;
  const read = async (): Promise<Date> => {
    asked += 1;
    if (asked === 1) throw new Error('away');
    return new Date();
  };
  const both = await Promise.allSettled([time.ask(read), time.ask(read)]);
  expect(both.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  expect([asked, time.isInDoubt()]).toEqual([1, true]);
  await time.ask(read);
  expect([asked, time.isInDoubt()]).toEqual([2, false]);
});
