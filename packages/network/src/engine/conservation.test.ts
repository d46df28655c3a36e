import { expect, test } from 'vitest';
import { principal, TestClient } from '../../test/engine-client.ts';
import { traderWat } from '../../test/spending-canisters.ts';
import { wat } from '../../test/wasm.ts';

const CANISTERS = 4;
const MESSAGES = 120;
const STEPS = 6;

/** A repeatable sequence of numbers below `most`. */
function sequence(seed: number): (most: number) => number {
  let state = seed;
  return (most) => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0;
    return (state >>> 8) % most;
  };
}

/** An argument of TRADER_WAT: a chain of calls that ends in one of its other deeds. */
function deed(next: (most: number) => number): Uint8Array {
  const bytes: number[] = [];
  for (let depth = next(4); depth > 0; depth -= 1) {
    bytes.push([3, 3, 4, 8][next(4)] ?? 3, next(CANISTERS), next(60));
  }
  bytes.push([0, 1, 2, 5, 6, 7, 0][next(7)] ?? 0);
  return Uint8Array.from(bytes);
}

/** Every balance and everything used up. */
async function held(client: TestClient, ids: readonly Uint8Array[]): Promise<bigint> {
  let sum = 0n;
  for (const id of ids) {
    const { cycles, reserved_cycles } = (await client.status(id)) as Record<string, bigint>;
    const metrics = await client.managementQuery('canister_metrics', { canister_id: principal(id) });
    const { cycles_consumed } = metrics as { cycles_consumed: Record<string, bigint> };
    sum += (cycles ?? 0n) + (reserved_cycles ?? 0n);
    sum += Object.values(cycles_consumed).reduce((total, amount) => total + amount, 0n);
  }
  return sum;
}

test.each([
  [1, 'in the engine thread', {}],
  [2, 'in another thread', { messageSlice: 100n }],
] as const)(
  'cycles are neither made nor lost, whatever canisters do (sequence %i, %s)',
  { timeout: 60_000 },
  async (seed, _where, heavy) => {
    await using client = await TestClient.start({ stopTime: true, heavy });
    const next = sequence(seed);
    const ids: Uint8Array[] = [];
    for (let count = 0; count < CANISTERS; count += 1) {
      // The last ones are poor: they run dry half way.
      ids.push(await client.create({ cycles: count < 2 ? 9_000_000_000_000n : 360_000_000_000n }));
    }
    const module = wat(traderWat(ids));
    for (const id of ids) await client.install(id, module);
    const created = await held(client, ids);
    expect(created).toBe(18_720_000_000_000n);
    for (let step = 0; step < STEPS; step += 1) {
      const calls = Array.from({ length: MESSAGES / STEPS }, () =>
        client.update(ids[next(CANISTERS)] ?? new Uint8Array(0), 'go', deed(next)),
      );
      const results = await Promise.allSettled(calls);
      expect(results.some(({ status }) => status === 'fulfilled')).toBe(true);
      await client.advance(86_400n);
      expect(await held(client, ids)).toBe(created);
    }
  },
);
