import { describe, expect, test } from 'vitest';
import { IDL } from '@icp-sdk/core/candid';
import { COUNTER, FACTORY, HEARTBEAT } from '../canisters/motoko-canisters.ts';
import { startEngine } from '../../src/engine/host.ts';
import { asNat, EMPTY, nat, Rejected, TestClient } from '../engine-client.ts';
import { COUNTER_WAT, GROWING_WAT } from '../canisters/text-canisters.ts';
import { wat } from '../../../wasm/test/wasm.ts';
import { compileMotoko } from '../../../network/test/compile-motoko.ts';

describe('engine', { timeout: 60_000 }, () => {
  test('counter: create, install, update, query, delta stream', async () => {
    await using client = await TestClient.start();
    const id = await client.deploy(compileMotoko(COUNTER));
    expect(asNat(await client.update(id, 'inc', EMPTY))).toBe(1n);
    expect(asNat(await client.update(id, 'add', nat(41)))).toBe(42n);
    expect(asNat(await client.query(id, 'get'))).toBe(42n);
    const leaves = client.canisters.get(Buffer.from(id).toString('hex'));
    expect(leaves?.moduleHash?.length).toBe(32);
    expect(leaves?.metadata?.map(({ name }) => name)).toContain('candid:service');
    await expect(client.update(id, 'boom')).rejects.toThrow(/assertion failed/);
    await expect(client.update(id, 'nothing')).rejects.toMatchObject({
      code: 'IC0536',
    } satisfies Partial<Rejected>);
    expect(asNat(await client.query(id, 'get'))).toBe(42n);
    await client.restart();
    expect(asNat(await client.query(id, 'get'))).toBe(42n);
    expect(asNat(await client.update(id, 'inc'))).toBe(43n);
  });

  test('canisters create, fund, stop and delete canisters', async () => {
    await using client = await TestClient.start({ fees: 'free' });
    const id = await client.deploy(compileMotoko(FACTORY), { cycles: 3_000_000_000_000n });
    const reply = await client.update(id, 'roundTrip');
    expect(IDL.decode([IDL.Nat, IDL.Nat, IDL.Nat], reply.slice())).toEqual([
      1_000_000_000_123n,
      1_000_000_000_130n,
      0n,
    ]);
    expect(await client.cycles(id)).toBe(3_000_000_000_000n - 1_000_000_000_130n);
    expect(client.canisters.size).toBe(1);
    expect(asNat(await client.update(id, 'random'))).toBe(32n);
  });

  test('heartbeats come about every second', async () => {
    await using client = await TestClient.start();
    const id = await client.deploy(compileMotoko(HEARTBEAT));
    await expect.poll(async () => asNat(await client.query(id, 'beaten'))).toBeGreaterThanOrEqual(2n);
  });

  test('the hook for low memory runs once when the threshold is passed', async () => {
    await using client = await TestClient.start();
    const id = await client.create({
      settings: { wasm_memory_limit: 400_000n, wasm_memory_threshold: 200_000n },
    });
    await client.install(id, wat(GROWING_WAT));
    const runs = async (): Promise<number | undefined> => (await client.query(id, 'runs'))[0];
    await client.update(id, 'grow');
    await client.update(id, 'grow');
    expect(await runs()).toBe(0);
    await client.update(id, 'grow');
    await expect.poll(runs).toBe(1);
    await client.update(id, 'grow');
    expect(await runs()).toBe(1);
  });

  test('canisters beyond the memory budget are unloaded and come back', async () => {
    await using client = await TestClient.start({ loadedBytes: 1 });
    const module = wat(COUNTER_WAT);
    const ids = await Promise.all(Array.from({ length: 5 }, () => client.deploy(module)));
    for (let round = 1; round <= 3; round++) {
      for (const id of ids) expect((await client.update(id, 'inc'))[0]).toBe(round);
    }
  });

  test('300 canisters and 3000 messages take little memory', async () => {
    await using client = await TestClient.start();
    const module = wat(COUNTER_WAT);
    await client.deploy(module);
    const before = process.memoryUsage.rss();
    const ids = await Promise.all(Array.from({ length: 300 }, () => client.deploy(module)));
    for (let round = 1; round <= 10; round++) {
      const replies = await Promise.all(ids.map((id) => client.update(id, 'inc')));
      expect(replies.every(([count]) => count === round)).toBe(true);
    }
    expect((process.memoryUsage.rss() - before) / 1024 ** 2).toBeLessThan(300);
  }, 60_000);

  test('the same folder cannot be opened twice', async () => {
    await using client = await TestClient.start();
    await expect(startEngine(client.configuration)).rejects.toThrow();
  });

  test('a module that wants more memory than there is fails alone', async () => {
    await using client = await TestClient.start();
    const id = await client.deploy(wat(COUNTER_WAT));
    const greedy = wat('(module (memory 65536) (func (export "canister_update x")))');
    const other = await client.create();
    await client.install(other, greedy).catch(() => undefined);
    expect((await client.update(id, 'inc'))[0]).toBe(1);
  });
});
