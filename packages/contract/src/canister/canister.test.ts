import { describe, expect, test } from 'vitest';
import { amountToCycles, isTopUpAmount, trimAmount, topUpForm } from './canister.ts';

describe('top-up amount', () => {
  test('[VAL-08] more than two decimals are cut off, not rounded', () => {
    expect(trimAmount(1.239)).toBe(1.23);
    expect(trimAmount(1.999)).toBe(1.99);
    expect(trimAmount(1.15)).toBe(1.15);
    expect(trimAmount(10)).toBe(10);
    expect(trimAmount(0.005)).toBe(0);
  });

  test.each([0.01, 0.05, 0.1, 1, 9.999, 10, 10.009])('[VAL-06] %d T is accepted', (amount) => {
    expect(isTopUpAmount(amount)).toBe(true);
  });

  test.each([0, 0.009, -1, 10.01, 11, 1e30, Number.NaN, Number.POSITIVE_INFINITY])(
    '[VAL-06] %d T is refused',
    (amount) => {
      expect(isTopUpAmount(amount)).toBe(false);
      expect(topUpForm.safeParse({ amount }).error?.issues[0]?.message).toBe('Invalid Amount');
    },
  );

  test('[CONST-01] 1 T is 1e12 cycles, exactly', () => {
    expect(amountToCycles(1)).toBe(1_000_000_000_000n);
    expect(amountToCycles(0.29)).toBe(290_000_000_000n);
    expect(amountToCycles(1.15)).toBe(1_150_000_000_000n);
    expect(amountToCycles(10)).toBe(10_000_000_000_000n);
  });
});
