import { expect, test } from 'vitest';
import { compileMotoko } from '../../../network/test/compile-motoko.ts';
import { asNat, EMPTY, TestClient } from '../engine-client.ts';

/**
 * What a replica counted for such a loop, with a compiler of the same year: `test/bench/ok/nat16.drun-run.ok` of
 * caffeinelabs/motoko at 83f7ae9. The compilers differ in a few instructions before and after it.
 */
const PUBLISHED = 52_429_601;
const TOLERANCE = 500;

/** The operations of `test/bench/nat16.mo` there: 16 times 65,535 turns. */
const LOOP = `import { performanceCounter; nat64ToNat } = "mo:⛔";
persistent actor {
  public func measure() : async Nat {
    let before = performanceCounter(0);
    var round = 0;
    while (round < 16) {
      var n : Nat16 = 0;
      var last : Nat16 = 0;
      while (n < 65_535) {
        last := n +% n;
        last := n -% n;
        last := ^n;
        last := n *% n;
        n += 1;
      };
      round += 1;
    };
    nat64ToNat(performanceCounter(0) - before)
  };
};`;

test('a loop in Motoko costs the instructions a replica counts for it', async () => {
  await using client = await TestClient.start();
  const canister = await client.deploy(compileMotoko(LOOP));
  const counted = Number(asNat(await client.update(canister, 'measure', EMPTY)));
  expect(Math.abs(counted - PUBLISHED)).toBeLessThan(TOLERANCE);
}, 60_000);
