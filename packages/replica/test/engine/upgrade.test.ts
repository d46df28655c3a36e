import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { COUNTER, COUNTER_BROKEN, COUNTER_TWO } from '../canisters/motoko-canisters.ts';
import { asNat, principal, TestClient } from '../engine-client.ts';
import { compileMotoko } from '../../../network/test/compile-motoko.ts';

const KEEP = { upgrade: [{ skip_pre_upgrade: [], wasm_memory_persistence: [{ keep: null }] }] };
const PLAIN = { upgrade: [] };

describe('upgrades', { timeout: 60_000 }, () => {
  let client: TestClient;
  beforeAll(async () => {
    client = await TestClient.start();
  });
  afterAll(() => client[Symbol.asyncDispose]());

  async function counterAtTwo(classic: boolean): Promise<Uint8Array> {
    const canister = await client.deploy(compileMotoko(COUNTER, { classic }));
    await client.update(canister, 'inc');
    await client.update(canister, 'inc');
    return canister;
  }

  test('enhanced orthogonal persistence keeps the heap', async () => {
    const canister = await counterAtTwo(false);
    await client.install(canister, compileMotoko(COUNTER_TWO), { mode: KEEP });
    expect(asNat(await client.query(canister, 'get'))).toBe(2n);
    expect(asNat(await client.query(canister, 'version'))).toBe(2n);
    expect(asNat(await client.update(canister, 'inc'))).toBe(12n);
    await client.restart();
    expect(asNat(await client.query(canister, 'get'))).toBe(12n);
  });

  test('without the option such an upgrade is refused', async () => {
    const canister = await counterAtTwo(false);
    await expect(client.install(canister, compileMotoko(COUNTER_TWO), { mode: PLAIN })).rejects.toMatchObject(
      {
        code: 'IC0504',
        message: expect.stringContaining('Missing upgrade option'),
      },
    );
    expect(asNat(await client.query(canister, 'get'))).toBe(2n);
  });

  test('replacing the heap starts the variables from nothing, also after a restart', async () => {
    const canister = await counterAtTwo(false);
    const mode = { upgrade: [{ skip_pre_upgrade: [], wasm_memory_persistence: [{ replace: null }] }] };
    await client.install(canister, compileMotoko(COUNTER_TWO), { mode });
    expect(asNat(await client.query(canister, 'get'))).toBe(0n);
    await client.restart();
    expect(asNat(await client.update(canister, 'inc'))).toBe(10n);
  });

  test('classical code cannot keep its heap', async () => {
    const canister = await counterAtTwo(true);
    const next = compileMotoko(COUNTER_TWO, { classic: true });
    await expect(client.install(canister, next, { mode: KEEP })).rejects.toThrow('Invalid upgrade option');
    expect(asNat(await client.query(canister, 'get'))).toBe(2n);
  });

  test('classical persistence goes through stable memory', async () => {
    const canister = await counterAtTwo(true);
    await client.install(canister, compileMotoko(COUNTER_TWO, { classic: true }), { mode: PLAIN });
    expect(asNat(await client.query(canister, 'get'))).toBe(2n);
    expect(asNat(await client.query(canister, 'version'))).toBe(2n);
    await client.restart();
    expect(asNat(await client.update(canister, 'inc'))).toBe(12n);
  });

  test.each([false, true])(
    'a failed upgrade changes nothing (classic: %s)',
    async (classic) => {
      const canister = await counterAtTwo(classic);
      const mode = classic ? PLAIN : KEEP;
      const before = await client.status(canister);
      await expect(
        client.install(canister, compileMotoko(COUNTER_BROKEN, { classic }), { mode }),
      ).rejects.toThrow(/no start/);
      expect(asNat(await client.query(canister, 'get'))).toBe(2n);
      expect(asNat(await client.update(canister, 'inc'))).toBe(3n);
      const after = await client.status(canister);
      expect(after['module_hash']).toEqual(before['module_hash']);
      await client.restart();
      expect(asNat(await client.query(canister, 'get'))).toBe(3n);
    },
    60_000,
  );

  test('reinstall starts from nothing, install refuses a canister with code', async () => {
    const canister = await counterAtTwo(false);
    await expect(client.install(canister, compileMotoko(COUNTER))).rejects.toMatchObject({ code: 'IC0514' });
    expect(asNat(await client.query(canister, 'get'))).toBe(2n);
    await client.install(canister, compileMotoko(COUNTER), { mode: { reinstall: null } });
    expect(asNat(await client.query(canister, 'get'))).toBe(0n);
    await client.management('uninstall_code', { canister_id: principal(canister) });
    await expect(client.query(canister, 'get')).rejects.toMatchObject({ code: 'IC0537' });
    await client.install(canister, compileMotoko(COUNTER));
    expect(asNat(await client.update(canister, 'inc'))).toBe(1n);
  });
});
