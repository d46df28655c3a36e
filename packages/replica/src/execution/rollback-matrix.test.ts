import { afterAll, beforeEach, describe, expect, test } from 'vitest';
import { EMPTY, principal, TestClient } from '../../test/engine-client.ts';
import { thoroughWat } from '../../test/canisters/thorough-canister.ts';
import { wat } from '../../../wasm/test/wasm.ts';

interface State {
  readonly heap: bigint;
  readonly selfCalls: bigint;
  readonly pages: bigint;
  readonly global: bigint;
  readonly stablePages: bigint;
  readonly stable: bigint;
  readonly cleanups: bigint;
  readonly rejects: bigint;
}
const FRESH: State = {
  heap: 0n,
  selfCalls: 0n,
  pages: 1n,
  global: 0n,
  stablePages: 0n,
  stable: 0n,
  cleanups: 0n,
  rejects: 0n,
};
const NO_ARGUMENT = new Uint8Array(0);
const TRAPS = { message: expect.stringContaining('unreachable') };
const ANY_ARGUMENT = Uint8Array.of(1);
const hex = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex');

describe('a trap keeps nothing but the log', { timeout: 30_000 }, async () => {
  const client = await TestClient.start({ fees: 'free' });
  const module = wat(thoroughWat());
  let canister: Uint8Array;
  let cycles: bigint;

  beforeEach(async () => {
    canister = await client.deploy(module, { arg: NO_ARGUMENT });
    cycles = await client.cycles(canister);
  });
  afterAll(() => client[Symbol.asyncDispose]());

  async function state(of = canister): Promise<State> {
    const bytes = Buffer.from(await client.query(of, 'state', EMPTY));
    const [heap, selfCalls, pages, global, stablePages, stable, cleanups, rejects] = [
      0, 8, 16, 24, 32, 40, 48, 56,
    ].map((at) => bytes.readBigUInt64LE(at)) as [
      bigint,
      bigint,
      bigint,
      bigint,
      bigint,
      bigint,
      bigint,
      bigint,
    ];
    return { heap, selfCalls, pages, global, stablePages, stable, cleanups, rejects };
  }

  async function log(of = canister): Promise<string[]> {
    const answer = await client.managementQuery('fetch_canister_logs', { canister_id: principal(of) });
    const { canister_log_records: records } = answer as { canister_log_records: { content: Uint8Array }[] };
    return records.map(({ content }) => Buffer.from(content).toString());
  }

  /** What the last test finds again on disk. */
  const kept: (() => Promise<void>)[] = [];

  /** The canister is as at first, but for what is named. */
  async function expectUnchanged(but: Partial<State> = {}, of = canister, balance = cycles): Promise<void> {
    const look = async (): Promise<void> => {
      expect(await state(of)).toEqual({ ...FRESH, ...but });
      expect(await client.cycles(of)).toBe(balance);
      expect(client.canisters.get(hex(of))?.certifiedData).toEqual(new Uint8Array(0));
    };
    await look();
    kept.push(look);
    expect(Buffer.from(await client.update(of, 'timer')).readBigUInt64LE()).toBe(0n);
  }

  test('update', async () => {
    await expect(client.update(canister, 'trap')).rejects.toMatchObject({ code: 'IC0502', rejectCode: 5 });
    await expectUnchanged();
    expect(await log()).toEqual(['messed', '[TRAP]: Canister trapped: unreachable']);
  });

  test('replicated query', async () => {
    await expect(client.update(canister, 'query_trap')).rejects.toMatchObject({ code: 'IC0502' });
    await client.update(canister, 'query_mess');
    await expectUnchanged();
    expect(await log()).toEqual(['messed', '[TRAP]: Canister trapped: unreachable', 'messed']);
  });

  test('query', async () => {
    await expect(client.query(canister, 'query_trap')).rejects.toMatchObject({ code: 'IC0502' });
    await client.query(canister, 'query_mess');
    await expectUnchanged();
    expect(await log()).toEqual([]);
  });

  test('reply callback', async () => {
    await expect(client.update(canister, 'trap_in_reply')).rejects.toMatchObject({ code: 'IC0502' });
    await expectUnchanged();
    expect(await log()).toEqual(['messed', '[TRAP]: Canister trapped: unreachable']);
  });

  test('reject callback', async () => {
    await expect(client.update(canister, 'trap_in_reject')).rejects.toMatchObject({ code: 'IC0502' });
    await expectUnchanged();
  });

  test('reply callback with a cleanup: what the cleanup did', async () => {
    await expect(client.update(canister, 'trap_with_cleanup')).rejects.toMatchObject({ code: 'IC0502' });
    await expectUnchanged({ cleanups: 1n });
  });

  test('cleanup', async () => {
    await expect(client.update(canister, 'trap_in_cleanup')).rejects.toMatchObject({
      code: 'IC0502',
      message: expect.stringContaining('call_on_cleanup also failed'),
    });
    await expectUnchanged();
    expect(await log()).toEqual([
      'messed',
      '[TRAP]: Canister trapped: unreachable',
      'messed',
      '[TRAP]: Canister trapped: unreachable',
    ]);
  });

  test('global timer: nothing but that it is not set any more', async () => {
    await client.update(canister, 'arm');
    await expect.poll(() => log()).toHaveLength(2);
    await expectUnchanged();
  });

  test('heartbeat', async () => {
    const beating = await client.deploy(wat(thoroughWat('canister_heartbeat')), { arg: NO_ARGUMENT });
    const balance = await client.cycles(beating);
    await expect.poll(() => log(beating)).not.toHaveLength(0);
    await expectUnchanged({}, beating, balance);
  });

  test('hook for low memory', async () => {
    const growing = await client.deploy(wat(thoroughWat('canister_on_low_wasm_memory')), {
      arg: NO_ARGUMENT,
    });
    const balance = await client.cycles(growing);
    const settings = { wasm_memory_limit: 20n * 65_536n, wasm_memory_threshold: 16n * 65_536n };
    await client.management('update_settings', { canister_id: principal(growing), settings });
    await client.update(growing, 'grow');
    await expect.poll(() => log(growing)).toHaveLength(2);
    await expectUnchanged({ pages: 6n }, growing, balance);
  });

  test('inspect_message', async () => {
    const shy = await client.deploy(wat(thoroughWat('canister_inspect_message')), { arg: NO_ARGUMENT });
    await expect(client.update(shy, 'nothing')).rejects.toMatchObject({ code: 'IC0502', admitted: false });
    expect(await state(shy)).toEqual(FRESH);
    expect(await log(shy)).toEqual([]);
  });

  test('start function, of an installation and of an upgrade', async () => {
    const broken = wat(thoroughWat('start'));
    const empty = await client.create();
    await expect(client.install(empty, broken, { arg: NO_ARGUMENT })).rejects.toMatchObject(TRAPS);
    await expect(client.query(empty, 'state')).rejects.toMatchObject({ code: 'IC0537' });
    expect(await log(empty)).toContain('messed');
    for (const mode of [{ upgrade: [] }, { reinstall: null }]) {
      await expect(client.install(canister, broken, { mode, arg: NO_ARGUMENT })).rejects.toMatchObject(TRAPS);
    }
    await expectUnchanged();
  });

  test('init, of an installation and of a reinstallation', async () => {
    const empty = await client.create();
    await expect(client.install(empty, module, { arg: ANY_ARGUMENT })).rejects.toMatchObject(TRAPS);
    await expect(client.query(empty, 'state')).rejects.toMatchObject({ code: 'IC0537' });
    const mode = { reinstall: null };
    await expect(client.install(canister, module, { mode, arg: ANY_ARGUMENT })).rejects.toMatchObject(TRAPS);
    await expectUnchanged();
  });

  test('pre_upgrade', async () => {
    await client.update(canister, 'arm_pre_upgrade');
    const mode = { upgrade: [] };
    await expect(client.install(canister, module, { mode, arg: NO_ARGUMENT })).rejects.toMatchObject(TRAPS);
    await expectUnchanged();
  });

  test('post_upgrade', async () => {
    const mode = { upgrade: [] };
    await expect(client.install(canister, module, { mode, arg: ANY_ARGUMENT })).rejects.toMatchObject(TRAPS);
    await expectUnchanged();
    expect(await log()).toContain('messed');
  });

  test('all of that, as loaded from disk', async () => {
    await client.restart();
    expect(kept.length).toBeGreaterThan(10);
    for (const look of kept) await look();
  });
});
