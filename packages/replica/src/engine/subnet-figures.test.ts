import { afterAll, beforeAll, expect, test } from 'vitest';
import { principal, TestClient } from '../../test/engine-client.ts';
import { COUNTER_WAT } from '../../test/canisters/text-canisters.ts';
import { wat } from '../../../wasm/test/wasm.ts';
import type { SubnetMetrics } from '@cannery/ic/state-leaves';

let client: TestClient;
beforeAll(async () => {
  // Otherwise memory would be charged all the while, of which the figures know once it is paid.
  client = await TestClient.start({ stopTime: true });
});
afterAll(() => client[Symbol.asyncDispose]());

/** The figures as they are published now. */
function figures(): Promise<SubnetMetrics> {
  return new Promise((resolve) => {
    let isFirst = true;
    client.engine.subscribe(({ metrics }) => {
      if (isFirst && metrics) resolve(metrics);
      isFirst = false;
    });
  });
}

/** What the canisters say of themselves. */
async function sumOf(ids: readonly Uint8Array[]): Promise<{ bytes: bigint; cycles: bigint }> {
  const sum = { bytes: 0n, cycles: 0n };
  for (const id of ids) {
    sum.bytes += (await client.status(id))['memory_size'] as bigint;
    const { cycles_consumed } = (await client.managementQuery('canister_metrics', {
      canister_id: principal(id),
    })) as { cycles_consumed: Record<string, bigint> };
    for (const cycles of Object.values(cycles_consumed)) sum.cycles += cycles;
  }
  return sum;
}

test('the figures of the subnet are those of its canisters, with what deleted ones paid and had', async () => {
  expect(await figures()).toEqual({
    canisters: 0,
    stateBytes: 0,
    consumedCycles: 0n,
    updateTransactions: 0,
  });
  const first = await client.deploy(wat(COUNTER_WAT), { cycles: 10n ** 13n });
  const second = await client.deploy(wat(COUNTER_WAT), { cycles: 10n ** 13n });
  await client.update(first, 'inc');
  const before = await figures();
  const sum = await sumOf([first, second]);
  expect(before).toMatchObject({ canisters: 2, stateBytes: Number(sum.bytes), updateTransactions: 5 });
  expect(before.consumedCycles).toBeGreaterThan(0n);
  expect(before.consumedCycles).toBe(sum.cycles);

  const target = { canister_id: principal(second) };
  await client.management('stop_canister', target);
  await client.management('delete_canister', target);
  const after = await figures();
  const rest = await sumOf([first]);
  expect(after).toMatchObject({ canisters: 1, stateBytes: Number(rest.bytes), updateTransactions: 7 });
  expect(after.consumedCycles).toBe(rest.cycles + 10n ** 13n);

  await client.restart();
  expect(await figures(), 'after a restart').toEqual(after);
});
