import { describe, expect, test } from 'vitest';
import { cyclesBytes, cyclesOf, fitsU64 } from './amount.ts';
import { Bill } from './bill.ts';
import { FEE_SCHEDULES, isFeeProfile } from './fee-schedule.ts';
import { Fees } from './fees.ts';
import { reservationFor, SUBNET_MEMORY_THRESHOLD } from './reservation.ts';

const GIB = 1n << 30n;
const docs = new Fees(FEE_SCHEDULES['docs-2026-08']);
const main = new Fees(FEE_SCHEDULES['replica-main']);
const free = new Fees(FEE_SCHEDULES.free);
/** The page lists its prices for subnets of 34 nodes too. */
const fiduciary = new Fees(FEE_SCHEDULES['docs-2026-08'], 34n);

describe('cycles', () => {
  test('amounts travel as two halves and as 16 little-endian bytes', () => {
    const amount = (5n << 64n) + 7n;
    expect(cyclesOf(5n, 7n)).toBe(amount);
    expect(cyclesOf(0n, -1n)).toBe(2n ** 64n - 1n);
    expect([...cyclesBytes(amount)]).toEqual([7, 0, 0, 0, 0, 0, 0, 0, 5, 0, 0, 0, 0, 0, 0, 0]);
    expect([...cyclesBytes(2n ** 128n + 1n)]).toEqual(Array.from({ length: 16 }, () => 255));
    expect(fitsU64(2n ** 64n - 1n)).toBe(true);
    expect(fitsU64(2n ** 64n)).toBe(false);
  });
});

describe('fees', () => {
  test('are those of the published table, for 13 and for 34 nodes', () => {
    const rows: [bigint, bigint, (fees: Fees) => bigint][] = [
      [500_000_000_000n, 1_307_692_307_692n, (fees) => fees.canisterCreation()],
      [10_000_000n, 26_153_846n, (fees) => fees.perDay(0n, 1n).compute / 86_400n],
      [5_000_000n, 13_076_923n, (fees) => fees.execution(0n, false)],
      [1_000_000_000n, 2_615_384_615n, (fees) => fees.instructions(1_000_000_000n, false)],
      [2_000_000_000n, 5_230_769_230n, (fees) => fees.instructions(1_000_000_000n, true)],
      [1_200_000n, 3_138_461n, (fees) => fees.ingress(0)],
      [2_000n, 5_230n, (fees) => fees.ingress(1) - fees.ingress(0)],
      [127_000n, 332_153n, (fees) => fees.memory(GIB, 1n)],
      [49_140_000n, 171_360_000n, (fees) => fees.httpRequest(0n, 0n)],
      [5_200n, 13_600n, (fees) => fees.httpRequest(1n, 0n) - fees.httpRequest(0n, 0n)],
      [10_400n, 27_200n, (fees) => fees.httpRequest(0n, 1n) - fees.httpRequest(0n, 0n)],
    ];
    for (const [small, large, price] of rows) {
      expect(price(docs)).toBe(small);
      expect(price(fiduciary)).toBe(large);
    }
    expect(docs.keyUse('test_key_1')).toBe(10_000_000_000n);
    expect(docs.keyUse('key_1')).toBe(26_153_846_153n);
    expect(docs.keyUse('toString')).toBeUndefined();
  });

  test('of a call are for the request, the largest response and the longest callback', () => {
    // 260,000 + 1,000 * (5 + 2,097,152) + 5,000,000 + 40,000,000,000.
    expect(docs.call(5n, 40_000_000_000n, false)).toBe(42_102_417_000n);
    expect(docs.call(5n, 40_000_000_000n, true)).toBe(82_102_417_000n);
    expect(docs.unusedResponse(152)).toBe(2_097_000_000n);
    expect(docs.unusedReject(151)).toBe(2_097_000_000n);
    expect(docs.unusedResponse(2 * 1024 * 1024)).toBe(0n);
  });

  test('of the newest replica differ in storage, which has a base fee too', () => {
    expect(main.memory(GIB, 1n)).toBe(317_500n);
    expect(main.perDay(GIB, 0n).memory).toBe(86_400n * (317_500n + 10_000n));
    expect(main.perDay(0n, 0n).memory).toBe(0n);
    expect(main.canisterCreation()).toBe(docs.canisterCreation());
  });

  test('are all zero where everything is free', () => {
    const usage = {
      requestBytes: 1n,
      roundtripMilliseconds: 1n,
      rawResponseBytes: 1n,
      transformedResponseBytes: 1n,
      transformInstructions: 1n,
    };
    const prices = [
      free.canisterCreation(),
      free.ingress(1_000),
      free.execution(1_000n, true),
      free.call(1n, 1n, false),
      free.perDay(GIB, 5n).memory,
      free.perDay(GIB, 5n).compute,
      free.httpRequest(1n, 1n),
      free.httpOutcall(usage, { kind: 'full' }),
      free.keyUse('key_1'),
    ];
    expect(prices.every((price) => price === 0n)).toBe(true);
  });

  test('name their date and source, and only the known ones', () => {
    for (const [name, schedule] of Object.entries(FEE_SCHEDULES)) {
      expect(isFeeProfile(name)).toBe(true);
      expect(schedule.profile).toBe(name);
      expect(schedule.source).toContain('subnet_config.rs');
    }
    expect(isFeeProfile('toString')).toBe(false);
  });

  test('of an outcall of pricing version 2 are what the replica works out by hand in its own tests', () => {
    const usage = {
      requestBytes: 100n,
      roundtripMilliseconds: 2_000n,
      rawResponseBytes: 1_000n,
      transformedResponseBytes: 500n,
      transformInstructions: 26n,
    };
    expect(docs.httpOutcall(usage, { kind: 'full' })).toBe(38_482_600n + 13n * 650_002n + 4_745_000n);
    // One node takes part and spreads its response: 13 * (1_005_000 + 90_000 * 13 + 126_000) + 650_002 + 50 * 500 * 13.
    expect(docs.httpOutcall(usage, { kind: 'single' })).toBe(29_913_000n + 650_002n + 325_000n + 4_745_000n);
    expect(docs.httpOutcall(usage, { kind: 'flexible' })).toBe(
      13n * (1_005_000n + 1_170_000n + 126_000n * 9n) +
        13n * (650_002n + 325_000n) +
        9_490n * 13n * 681n +
        13n * 126_000n * 4n,
    );
  });
});

describe('a bill', () => {
  test('is prepaid for the limit and charges what was used', () => {
    const bill = new Bill(docs, 40_000_000_000n, false);
    expect(bill.prepaid).toBe(40_005_000_000n);
    expect(bill.charge(0n)).toBe(5_000_000n);
    expect(bill.charge(1_234n)).toBe(5_001_234n);
    expect(bill.charge(50_000_000_000n)).toBe(bill.prepaid);
    expect(new Bill(docs, 40_000_000_000n, true).charge(1_234n)).toBe(5_002_468n);
  });
});

describe('a reservation', () => {
  test('begins above the threshold and reaches ten years of payments at capacity', () => {
    expect(reservationFor(docs, 0n, SUBNET_MEMORY_THRESHOLD)).toBe(0n);
    expect(reservationFor(docs, SUBNET_MEMORY_THRESHOLD, 0n)).toBe(0n);
    expect(reservationFor(docs, SUBNET_MEMORY_THRESHOLD, -GIB)).toBe(0n);
    // From the threshold to capacity: 1,298 GiB for half of 300,000,000 s, at 127,000 a GiB and second.
    expect(reservationFor(docs, SUBNET_MEMORY_THRESHOLD, 1_298n * GIB)).toBe(
      1_298n * 150_000_000n * 127_000n,
    );
    // 11 GiB above it: 300,000,000 * 11 / 1,298 = 2,542,372 s, half of which is 1,271,186 s.
    expect(reservationFor(docs, SUBNET_MEMORY_THRESHOLD - GIB, 12n * GIB)).toBe(11n * 1_271_186n * 127_000n);
    // The same in two steps.
    expect(
      reservationFor(docs, SUBNET_MEMORY_THRESHOLD, 4n * GIB) +
        reservationFor(docs, SUBNET_MEMORY_THRESHOLD + 4n * GIB, 7n * GIB),
    ).toBe(11n * 1_271_186n * 127_000n);
  });
});
