import { afterAll, beforeEach, describe, expect, test } from 'vitest';
import { EMPTY, principal, TestClient } from '../engine-client.ts';
import { MESSY_WAT } from '../canisters/messy-canister.ts';
import { wat } from '../../../wasm/test/wasm.ts';

const FRESH = [0n, 1n, 0n, 0n, 0n];
const hex = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex');

describe('what a failed or dropped execution leaves', async () => {
  const client = await TestClient.start({ fees: 'free' });
  const module = wat(MESSY_WAT);
  let canister: Uint8Array;
  let cycles: bigint;

  beforeEach(async () => {
    canister = await client.deploy(module, { arg: new Uint8Array(0) });
    cycles = await client.cycles(canister);
  });
  afterAll(() => client[Symbol.asyncDispose]());

  async function state(): Promise<bigint[]> {
    const bytes = Buffer.from(await client.query(canister, 'state', EMPTY));
    return [0, 8, 16, 24, 32].map((at) => bytes.readBigUInt64LE(at));
  }

  /** Now, and again from what the store holds. */
  async function expectState(expected: readonly bigint[]): Promise<void> {
    for (const again of [false, true]) {
      if (again) await client.restart();
      expect(await state()).toEqual(expected);
      expect(await client.cycles(canister)).toBe(cycles);
      expect(client.canisters.get(hex(canister))?.certifiedData).toEqual(new Uint8Array(0));
    }
  }

  test.each(['trap', 'trap_in_callback'])('update method %s: nothing', async (method) => {
    await expect(client.update(canister, method)).rejects.toMatchObject({ code: 'IC0502' });
    await expectState(FRESH);
  });

  test('query, replicated query and inspection: nothing', async () => {
    await client.query(canister, 'mess');
    await client.update(canister, 'mess');
    await client.update(canister, 'nothing');
    await expectState(FRESH);
  });

  test('a timer that traps: nothing but that it is not set any more', async () => {
    await client.update(canister, 'arm');
    await expect.poll(async () => (await logOf(client, canister)).at(-1)).toMatch(/TRAP/);
    await expectState(FRESH);
    expect((await logOf(client, canister)).length).toBe(1);
  });

  test('installation and reinstallation: the canister as it was', async () => {
    const arg = Uint8Array.of(1);
    await expect(client.install(canister, module, { mode: { reinstall: null }, arg })).rejects.toThrow(
      'unreachable',
    );
    await expectState(FRESH);
    const empty = await client.create();
    await expect(client.install(empty, module, { arg })).rejects.toThrow('unreachable');
    await expect(client.query(empty, 'state')).rejects.toMatchObject({ code: 'IC0537' });
  });

  test('an upgrade that traps before or after the change of code: the canister as it was', async () => {
    const upgrade = { upgrade: [] };
    await expect(client.install(canister, module, { mode: upgrade, arg: Uint8Array.of(1) })).rejects.toThrow(
      'unreachable',
    );
    await expectState(FRESH);
    await client.update(canister, 'poison');
    await expect(client.install(canister, module, { mode: upgrade, arg: new Uint8Array(0) })).rejects.toThrow(
      'unreachable',
    );
    await expectState([1000n, 1n, 0n, 0n, 0n]);
  });
});

async function logOf(client: TestClient, canister: Uint8Array): Promise<string[]> {
  const logs = (await client.managementQuery('fetch_canister_logs', {
    canister_id: principal(canister),
  })) as {
    canister_log_records: { content: Uint8Array }[];
  };
  return logs.canister_log_records.map(({ content }) => Buffer.from(content).toString());
}
