import { expect, test } from 'vitest';
import { canisterIdOf } from './canister-id.ts';
import { areApart, type IdRange } from './id-range.ts';

const ranges: readonly IdRange[] = [
  { ordinals: [[100n, 199n]], makesFrom: 100n },
  {
    ordinals: [
      [0n, 9n],
      [200n, 299n],
    ],
    makesFrom: 200n,
  },
];

test('IDs are apart when their ranges are, and those of no range are in the first one', () => {
  const apart = (one: bigint, other: bigint): boolean =>
    areApart(ranges, canisterIdOf(one), canisterIdOf(other));
  expect(apart(100n, 199n)).toBe(false);
  expect(apart(0n, 299n)).toBe(false);
  expect(apart(199n, 200n)).toBe(true);
  expect(apart(50n, 150n)).toBe(false);
  expect(apart(50n, 5n)).toBe(true);
  // The anonymous principal is no canister.
  expect(areApart(ranges, Uint8Array.of(4), canisterIdOf(5n))).toBe(true);
});

test('a network with one range or none has no borders', () => {
  const [one] = ranges;
  const ids = [canisterIdOf(150n), canisterIdOf(5n)] as const;
  expect(areApart(undefined, ...ids)).toBe(false);
  expect(areApart(one && [one], ...ids)).toBe(false);
});
