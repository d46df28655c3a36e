import { expect, test } from 'vitest';
import { principal, type Rejected, TestClient } from '../engine-client.ts';
import { traderWat } from '../canisters/spending-canisters.ts';
import { wat } from '../../../wasm/test/wasm.ts';

/** Two have plenty. With a gibibyte for 10,972,800,000 a day one of the others loses its code and one freezes. */
const GIB = 1n << 30n;
const START = [
  { cycles: 9_000_000_000_000n },
  { cycles: 9_000_000_000_000n },
  { cycles: 310_000_000_000n, settings: { memory_allocation: GIB, freezing_threshold: 0n } },
  { cycles: 700_000_000_000n, settings: { memory_allocation: GIB } },
];
const CANISTERS = START.length;
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

/** An argument of `traderWat`: a chain of calls that ends in one of its other deeds. */
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
    for (const options of START) ids.push(await client.create(options));
    const module = wat(traderWat(ids));
    for (const id of ids) await client.install(id, module);
    const created = await held(client, ids);
    const codes = new Set<string>();
    expect(created).toBe(19_010_000_000_000n);
    for (let step = 0; step < STEPS; step += 1) {
      const calls = Array.from({ length: MESSAGES / STEPS }, () =>
        client.update(ids[next(CANISTERS)] ?? new Uint8Array(0), 'go', deed(next)),
      );
      const results = await Promise.allSettled(calls);
      expect(results.some(({ status }) => status === 'fulfilled')).toBe(true);
      for (const result of results) {
        if (result.status === 'rejected') codes.add((result.reason as Rejected).code);
      }
      await client.advance(10n * 86_400n);
      expect(await held(client, ids)).toBe(created);
    }
    expect([...codes]).toContain('IC0207');
    expect(await client.status(ids[2] ?? new Uint8Array(0))).toMatchObject({ cycles: 0n, module_hash: [] });
  },
);
