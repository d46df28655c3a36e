import { describe, expect, test } from 'vitest';
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
