import { describe, expect, test } from 'vitest';
import { bareCanister } from '../../test/canisters/bare-canister.ts';
import type { Canister, EditableRecord } from '../state/canister.ts';
import { Account } from './account.ts';
import { FEE_SCHEDULES } from './fee-schedule.ts';
import { Fees } from './fees.ts';
import { exhaustionTime, payRent, RENT_PERIOD_NANOS, standingAt } from './rent.ts';

const fees = new Fees(FEE_SCHEDULES['docs-2026-08']);
const T = 1_000_000_000_000n;
const GIB = 1n << 30n;
const SECOND = 1_000_000_000n;
const MONTH = 30n * 86_400n * SECOND;
const BIG = { memoryAllocation: GIB, computeAllocation: 1n };

/** Pays as a transaction does that gave out the record. */
function pay(of: Fees, canister: Canister, now: bigint): boolean {
  return payRent(of, canister, canister.record as EditableRecord, now);
}

describe('rent', () => {
  test('of a gibibyte and one percent over a month is that of the published page, to the cycle', () => {
    const canister = bareCanister(100n * T, BIG);
    // 10 s cost 1,270,000 for memory and 100,000,000 for compute; the month has 259,200 times 10 s.
    const memory = 329_184_000_000n;
    const compute = 25_920_000_000_000n;
    expect(pay(fees, canister, MONTH)).toBe(false);
    expect(canister.record).toMatchObject({
      cycles: 100n * T - memory - compute,
      paidUntilNanos: MONTH,
      consumed: { memory, computeAllocation: compute },
    });
  });

  test('is rounded down every ten seconds, for each resource', () => {
    // A day of 1,000,000 bytes is 1,000,000 * 127,000 * 86,400 / 2^30 = 10,219,216; ten seconds of it are 1,182.
    const canister = bareCanister(T, { memoryAllocation: 1_000_000n });
    expect(standingAt(fees, canister, 10n * SECOND).memory).toBe(1_182n);
    expect(standingAt(fees, canister, MONTH).memory).toBe(259_200n * 1_182n);
    // 1 MB less: a byte costs nothing in ten seconds.
    expect(standingAt(fees, bareCanister(T, { memoryAllocation: 80n }), MONTH).memory).toBe(0n);
  });

  test('comes to the same in one step, in many, and in steps that are not periods', () => {
    const once = bareCanister(100n * T, BIG, 3n * T);
    const often = bareCanister(100n * T, BIG, 3n * T);
    pay(fees, once, MONTH);
    let now = 0n;
    for (let step = 1n; now < MONTH; step += 1n) {
      now += (step * 7_919n * SECOND) / 3n;
      pay(fees, often, now < MONTH ? now : MONTH);
    }
    expect(often.record).toEqual(once.record);
  });

  test('is not due before ten seconds have passed', () => {
    const canister = bareCanister(T, BIG);
    expect(standingAt(fees, canister, RENT_PERIOD_NANOS - 1n).cycles).toBe(T);
    expect(standingAt(fees, canister, RENT_PERIOD_NANOS).cycles).toBe(T - 101_270_000n);
    expect(standingAt(fees, canister, 2n * RENT_PERIOD_NANOS - 1n).cycles).toBe(T - 101_270_000n);
  });

  test('takes the reserved balance first', () => {
    const canister = bareCanister(T, BIG, 150_000_000n);
    expect(standingAt(fees, canister, RENT_PERIOD_NANOS)).toMatchObject({
      cycles: T,
      reservedCycles: 48_730_000n,
    });
    expect(standingAt(fees, canister, 2n * RENT_PERIOD_NANOS)).toMatchObject({
      cycles: T - 52_540_000n,
      reservedCycles: 0n,
    });
  });

  test('ends with both balances at zero, at a time known in advance', () => {
    // Three periods of 101,270,000 can be paid; in the fourth memory can, compute cannot.
    const canister = bareCanister(300_000_000n, BIG, 13_810_000n);
    const ruin = 4n * RENT_PERIOD_NANOS;
    expect(exhaustionTime(fees, canister)).toBe(ruin);
    expect(standingAt(fees, canister, ruin - 1n)).toMatchObject({
      cycles: 10_000_000n,
      exhausted: undefined,
    });
    expect(pay(fees, canister, ruin)).toBe(true);
    expect(canister.record).toMatchObject({
      cycles: 0n,
      reservedCycles: 0n,
      consumed: { memory: 4n * 1_270_000n, computeAllocation: 300_000_000n, uninstall: 8_730_000n },
    });
    expect(exhaustionTime(fees, bareCanister(0n))).toBeUndefined();
  });

  test('costs nothing where everything is free', () => {
    const free = new Fees(FEE_SCHEDULES.free);
    const canister = bareCanister(1n, BIG);
    expect(pay(free, canister, MONTH)).toBe(false);
    expect(canister.record.cycles).toBe(1n);
    expect(new Account(free, canister, 1n).reserve()).toBe(0n);
  });
});

describe('the freezing limit', () => {
  test('is the idle cost over the freezing threshold, less what is reserved for it', () => {
    // 30 days of 1 GiB and 1 %: 329,184,000,000 + 25,920,000,000,000.
    const account = new Account(fees, bareCanister(0n, BIG), 1n);
    expect(account.reserve()).toBe(26_249_184_000_000n);
    expect(account.liquid(26_249_184_000_001n)).toBe(1n);
    expect(account.isFrozen(26_249_184_000_000n)).toBe(false);
    expect(account.isFrozen(26_249_183_999_999n)).toBe(true);
    expect(account.refusal(26_249_184_000_000n, 5n)?.message).toContain('at least 5 additional cycles');
    const covered = new Account(fees, bareCanister(0n, BIG, 26_000_000_000_000n), 1n);
    expect(covered.reserve()).toBe(249_184_000_000n);
    expect(new Account(fees, bareCanister(0n, BIG, 27n * T), 1n).reserve()).toBe(0n);
  });

  test('rises with memory beyond the allocation', () => {
    const account = new Account(fees, bareCanister(0n, { memoryAllocation: GIB }), 1n);
    expect(account.reserve(Number(GIB))).toBe(account.reserve());
    expect(account.reserve(2 * Number(GIB))).toBe(2n * account.reserve());
  });
});
