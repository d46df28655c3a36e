import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { Residents } from './residents.ts';
import type { Resident } from './tenant-disk.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

function program(isIdle = true): Resident & { ended: boolean } {
  const made = {
    isIdle,
    ended: false,
    ask: () => Promise.reject(new Error('not asked')),
    close: () => {
      made.ended = true;
      return Promise.resolve();
    },
  };
  return made;
}

test('a program is handed over once, and is not ended then', async () => {
  const residents = new Residents<number>();
  const one = program();
  residents.leave(1, one);
  expect(residents.take(2)).toBeNull();
  expect(residents.take(1)).toBe(one);
  expect(residents.take(1)).toBeNull();
  await vi.advanceTimersByTimeAsync(120_000);
  expect(one.ended).toBe(false);
});

test('one that is left is ended after a minute, one that stays is not', async () => {
  const residents = new Residents<number>();
  const [left, staying] = [program(), program()];
  residents.leave(1, left);
  residents.stay(2, staying);
  await vi.advanceTimersByTimeAsync(59_000);
  expect(left.ended).toBe(false);
  await vi.advanceTimersByTimeAsync(2_000);
  expect([left.ended, staying.ended]).toEqual([true, false]);
  expect(residents.take(1)).toBeNull();
});

test('two are left at most; who was left first is ended', () => {
  const residents = new Residents<number>();
  const [staying, ...left] = [program(), program(), program(), program()];
  residents.stay(0, staying);
  left.forEach((one, index) => residents.leave(index + 1, one));
  expect([staying, ...left].map(({ ended }) => ended)).toEqual([false, true, false, false]);
});

test('one that does not wait for requests is ended instead of handed over, and one whose disk goes is ended', async () => {
  const residents = new Residents<number>();
  const [busy, gone] = [program(false), program()];
  residents.leave(1, busy);
  residents.leave(2, gone);
  expect(residents.take(1)).toBeNull();
  await residents.end(2);
  await residents.end(3);
  expect([busy.ended, gone.ended]).toEqual([true, true]);
});
