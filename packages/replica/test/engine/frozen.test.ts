import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { principal, TestClient } from '../engine-client.ts';
import { GROWER_WAT, spenderWat } from '../canisters/spending-canisters.ts';
import { wat } from '../../../wasm/test/wasm.ts';

const T = 1_000_000_000_000n;
const GIB = 1n << 30n;
const DAY = 86_400n;
const FROZEN = { code: 'IC0207', rejectCode: 2 };
const SPENDER = wat(spenderWat(Uint8Array.of(0, 0, 0, 0, 1, 0, 0, 0, 1, 1)));

/** An amount of pages or the like, as GROWER_WAT reads it. */
const u32 = (value: number): Uint8Array => new Uint8Array(Uint32Array.of(value).buffer);

const set = (client: TestClient, id: Uint8Array, settings: object): Promise<unknown> =>
  client.management('update_settings', { canister_id: principal(id), settings });

const topUp = (client: TestClient, id: Uint8Array, amount: bigint): Promise<unknown> =>
  client.management('provisional_top_up_canister', { canister_id: principal(id), amount });

describe('a frozen canister', { timeout: 60_000 }, () => {
  let client: TestClient;
  beforeAll(async () => {
    client = await TestClient.start({ stopTime: true });
  }, 60_000);
  afterAll(() => client[Symbol.asyncDispose]());

  test('takes no calls and answers no queries, until it is topped up or its threshold is lowered', async () => {
    const id = await client.create({ cycles: 2n * T, settings: { memory_allocation: GIB } });
    await client.install(id, SPENDER);
    await client.update(id, 'tick');
    // A gibibyte costs 10,972,800,000 a day: three hundred days are more than the canister has.
    await set(client, id, { freezing_threshold: 300n * DAY });
    await expect(client.update(id, 'tick')).rejects.toMatchObject({ ...FROZEN, admitted: false });
    await expect(client.query(id, 'look')).rejects.toThrow("because it's frozen");
    await expect(client.install(id, SPENDER, { mode: { reinstall: null } })).rejects.toMatchObject(FROZEN);
    expect(await client.status(id)).toMatchObject({ status: { running: null } });

    await topUp(client, id, 2n * T);
    await client.update(id, 'tick');
    await client.query(id, 'look');
    await set(client, id, { freezing_threshold: 1_000n * DAY });
    await expect(client.query(id, 'look')).rejects.toMatchObject(FROZEN);
    await set(client, id, { freezing_threshold: 0n });
    await client.update(id, 'tick');
  });

  test('rejects the calls of other canisters, which get their cycles back', async () => {
    const frozen = await client.create({ cycles: 10n * T, settings: { memory_allocation: GIB } });
    await client.install(frozen, SPENDER);
    const caller = await client.deploy(wat(spenderWat(frozen)), { cycles: 10n * T });
    await set(client, frozen, { freezing_threshold: 3_000n * DAY });
    const before = await client.cycles(caller);
    await client.update(caller, 'ask');
    // ask and its callback (see the month), the call, and the reject of the callee at 1,000 for each byte and its code.
    const reject = `Canister ${principal(frozen).toText()} is out of cycles`;
    const paid = before - (await client.cycles(caller));
    expect(paid).toBeGreaterThan(10_000_000n + 264_000n + 1_000n * BigInt(reject.length));
    expect(paid).toBeLessThan(10_000_000n + 264_000n + 1_200_000n + 200_000n);
  });

  test('an update, an installation and a call need the cycles for the longest they may run', async () => {
    const poor = await client.create({ cycles: 300_000_000_000n });
    await expect(client.install(poor, SPENDER)).rejects.toThrow('Canister installation failed with');
    await expect(client.install(poor, SPENDER)).rejects.toMatchObject(FROZEN);
    await topUp(client, poor, 20_000_000_000n);
    await client.install(poor, SPENDER);
    // The message takes 40,005,000,000 in advance, its call twice as much again: call_perform fails, and is no trap.
    await client.update(poor, 'burn');
    for (let left = await client.cycles(poor); left > 60_000_000_000n; left -= 5_000_000_000n) {
      await client.update(poor, 'burn');
    }
    await expect(client.update(poor, 'ask')).rejects.toMatchObject({ code: 'IC0506' });
    for (let left = await client.cycles(poor); left > 41_000_000_000n; left -= 5_000_000_000n) {
      await client.update(poor, 'burn');
    }
    await expect(client.update(poor, 'tick')).rejects.toMatchObject(FROZEN);
  });

  test('the module decides what its installation costs, not the code before it', async () => {
    const id = await client.create({ cycles: 400_000_000_000n });
    // 300,005,000,000 in advance, twice the instructions for 64-bit memory.
    const wide = wat('(module (memory i64 1))');
    await expect(client.install(id, wide)).rejects.toMatchObject(FROZEN);
    await client.install(id, SPENDER);
    await expect(client.install(id, wide, { mode: { reinstall: null } })).rejects.toMatchObject(FROZEN);
    await client.update(id, 'tick');
    await topUp(client, id, 300_000_000_000n);
    await client.install(id, wide, { mode: { reinstall: null } });
  });

  test('growth beyond what the canister can pay for fails and changes nothing', async () => {
    const id = await client.create({ cycles: T, settings: { freezing_threshold: 365n * DAY } });
    await client.install(id, wat(GROWER_WAT));
    // 16,384 pages are a gibibyte, which costs four T a year.
    await expect(client.update(id, 'grow', u32(16_384))).rejects.toMatchObject({ code: 'IC0532' });
    expect(await client.status(id)).toMatchObject({ memory_metrics: { stable_memory_size: 0n } });
    await client.update(id, 'grow', u32(160));
    expect(await client.status(id)).toMatchObject({ memory_metrics: { stable_memory_size: 160n * 65_536n } });
    await expect(set(client, id, { memory_allocation: GIB })).rejects.toMatchObject({ code: 'IC0531' });
    await expect(set(client, id, { compute_allocation: 1n })).rejects.toMatchObject({ code: 'IC0530' });
  });
});

describe('memory beyond the threshold of the subnet', { timeout: 60_000 }, () => {
  test('is paid for in advance from a reserved balance, within its limit', async () => {
    await using client = await TestClient.start({ stopTime: true });
    const big = { memory_allocation: 750n * GIB, freezing_threshold: 0n };
    await client.create({ cycles: T, settings: big });
    const id = await client.create({ cycles: 100n * T, settings: { freezing_threshold: 0n } });
    // 11 GiB above the threshold: 1,271,186 s of them, at 127,000 a GiB and second; a little more for what is there.
    const reserved = 11n * 1_271_186n * 127_000n;
    await set(client, id, { reserved_cycles_limit: 0n });
    await expect(set(client, id, { memory_allocation: 11n * GIB })).rejects.toMatchObject({ code: 'IC0533' });
    await set(client, id, { reserved_cycles_limit: 5n * T });
    const before = await client.cycles(id);
    await set(client, id, { memory_allocation: 11n * GIB });
    const { reserved_cycles, cycles } = (await client.status(id)) as Record<string, bigint>;
    expect(reserved_cycles).toBeGreaterThanOrEqual(reserved - 1_000_000n);
    expect(reserved_cycles).toBeLessThan(reserved + 1_000_000n);
    expect(before - (cycles ?? 0n) - (reserved_cycles ?? 0n)).toBeLessThan(5_000_000n);
    await expect(set(client, id, { reserved_cycles_limit: T })).rejects.toMatchObject({ code: 'IC0540' });

    // The reserve pays the rent: 11 GiB for a day.
    const { cycles: left } = await client.status(id);
    await client.advance(DAY);
    expect(await client.status(id)).toMatchObject({
      cycles: left,
      reserved_cycles: (reserved_cycles ?? 0n) - 11n * 10_972_800_000n,
    });
  });

  test('cannot grow in a message without a reserved cycles limit', async () => {
    await using client = await TestClient.start({ stopTime: true });
    const big = { memory_allocation: 760n * GIB, freezing_threshold: 0n };
    const id = await client.create({ cycles: 100n * T });
    await client.install(id, wat(GROWER_WAT));
    await client.create({ cycles: 500n * T, settings: { ...big, reserved_cycles_limit: 500n * T } });
    await set(client, id, { reserved_cycles_limit: 0n });
    await expect(client.update(id, 'grow', u32(160))).rejects.toMatchObject({ code: 'IC0534' });
    await set(client, id, { reserved_cycles_limit: 5n * T });
    await client.update(id, 'grow', u32(160));
    expect((await client.status(id))['reserved_cycles']).toBeGreaterThan(1_000_000n);
  });
});

describe('a canister that runs out of cycles', { timeout: 60_000 }, () => {
  test('loses code, history and allocations at that time, and keeps its name', async () => {
    await using client = await TestClient.start({ stopTime: true });
    const settings = { memory_allocation: GIB, freezing_threshold: 0n };
    const id = await client.create({ cycles: T, settings });
    await client.install(id, SPENDER);
    const before = await client.status(id);
    const hex = Buffer.from(id).toString('hex');
    expect(client.canisters.get(hex)?.moduleHash).toBeDefined();
    // One T pays 91 days of a gibibyte. Nobody touches the canister meanwhile.
    await client.advance(91n * DAY);
    expect(await client.status(id)).toMatchObject({ module_hash: before['module_hash'] });
    await client.advance(DAY);
    expect(client.canisters.get(hex)?.moduleHash).toBeUndefined();
    expect(await client.status(id)).toMatchObject({
      status: { running: null },
      cycles: 0n,
      reserved_cycles: 0n,
      module_hash: [],
      memory_size: 0n,
      version: (before['version'] as bigint) + 1n,
      settings: { memory_allocation: 0n, compute_allocation: 0n },
    });
    await topUp(client, id, 3n * T);
    await client.install(id, SPENDER);
    await client.update(id, 'tick');
  });

  test('does so also while the network is not running, and after a restart', async () => {
    await using client = await TestClient.start({ stopTime: true });
    const settings = { memory_allocation: GIB, freezing_threshold: 0n };
    const id = await client.create({ cycles: T, settings });
    await client.install(id, SPENDER);
    await client.advance(50n * DAY);
    await client.restart();
    await client.advance(50n * DAY);
    expect(await client.status(id)).toMatchObject({ cycles: 0n, module_hash: [] });
  });
});
