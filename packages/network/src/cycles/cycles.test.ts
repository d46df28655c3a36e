import { describe, expect, test } from 'vitest';
import { costOfHttpOutcall, DEFAULT_FLEXIBLE } from './http-outcall-cost.ts';
import { cyclesBytes, cyclesOf, fitsU64 } from './amount.ts';
import { costOfCall, costOfHttpRequest, costOfKeyUse } from './cost-table.ts';

describe('cycles', () => {
  test('amounts travel as two halves and as 16 little-endian bytes', () => {
    const amount = (5n << 64n) + 7n;
    expect(cyclesOf(5n, 7n)).toBe(amount);
    expect(cyclesOf(0n, -1n)).toBe(2n ** 64n - 1n);
    const bytes = cyclesBytes(amount);
    expect([...bytes]).toEqual([7, 0, 0, 0, 0, 0, 0, 0, 5, 0, 0, 0, 0, 0, 0, 0]);
    expect(fitsU64(2n ** 64n - 1n)).toBe(true);
    expect(fitsU64(2n ** 64n)).toBe(false);
  });

  test('an outcall of pricing version 2 costs what the replica works out by hand in its own tests', () => {
    const usage = {
      requestBytes: 100n,
      roundtripMilliseconds: 2_000n,
      rawResponseBytes: 1_000n,
      transformedResponseBytes: 500n,
      transformInstructions: 26n,
    };
    expect(costOfHttpOutcall(usage, { kind: 'full' })).toBe(38_482_600n + 13n * 650_002n + 4_745_000n);
    // One node takes part and spreads its response: 13 * (1_005_000 + 90_000 * 13 + 126_000) + 650_002 + 50 * 500 * 13.
    expect(costOfHttpOutcall(usage, { kind: 'single' })).toBe(29_913_000n + 650_002n + 325_000n + 4_745_000n);
    expect(costOfHttpOutcall(usage, DEFAULT_FLEXIBLE)).toBe(
      13n * (1_005_000n + 1_170_000n + 126_000n * 9n) +
        13n * (650_002n + 325_000n) +
        9_490n * 13n * 681n +
        13n * 126_000n * 4n,
    );
  });

  test('prices match the published table', () => {
    expect(costOfHttpRequest(0n, 0n)).toBe(49_140_000n);
    expect(costOfHttpRequest(1n, 1n) - costOfHttpRequest(0n, 0n)).toBe(5_200n + 10_400n);
    expect(costOfKeyUse('test_key_1')).toBe(10_000_000_000n);
    expect(costOfKeyUse('toString')).toBeUndefined();
    const small = costOfCall(0n, 0n, 40_000_000_000n, false);
    expect(costOfCall(2n, 3n, 40_000_000_000n, false) - small).toBe(5_000n);
    expect(costOfCall(0n, 0n, 40_000_000_000n, true) - small).toBe(40_000_000_000n);
  });
});
