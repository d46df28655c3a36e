import { createHash, randomBytes } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import { IDL } from '@icp-sdk/core/candid';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ALICE, BOB, canisterId, EMPTY, principal, TestClient } from '../engine-client.ts';
import { Proxy } from '../canisters/proxy-canister.ts';
import { COUNTER_WAT } from '../canisters/text-canisters.ts';
import { wat } from '../../../wasm/test/wasm.ts';

const MANAGEMENT = new Uint8Array(0);
const sha256 = (bytes: Uint8Array): Uint8Array => new Uint8Array(createHash('sha256').update(bytes).digest());

describe('management canister', { timeout: 60_000 }, () => {
  let client: TestClient;
  let counter: Uint8Array;
  beforeAll(async () => {
    client = await TestClient.start();
    counter = wat(COUNTER_WAT);
  });
  afterAll(() => client[Symbol.asyncDispose]());

  test('a created canister has the default balance, its creator as controller and all status fields', async () => {
    const id = await client.create();
    const status = await client.status(id);
    expect(status).toMatchObject({
      status: { running: null },
      cycles: 100_000_000_000_000n,
      module_hash: [],
      version: 0n,
      settings: {
        controllers: [principal(ALICE)],
        freezing_threshold: 2_592_000n,
        log_visibility: { controllers: null },
        environment_variables: [],
      },
      query_stats: { num_calls_total: 0n },
    });
    expect(client.canisters.get(Buffer.from(id).toString('hex'))?.controllers).toEqual([ALICE]);
  });

  test('a specified ID is used once', async () => {
    const wanted = principal(Uint8Array.from([0, 0, 0, 0, 0, 0, 0, 7, 1, 1]));
    const arg = { specified_id: wanted };
    await client.management('provisional_create_canister_with_cycles', arg);
    await expect(client.management('provisional_create_canister_with_cycles', arg)).rejects.toMatchObject({
      code: 'IC0538',
    });
  });

  test('settings are stored, returned, validated and changed one by one', async () => {
    const id = await client.create({ cycles: 10n ** 15n, settings: { compute_allocation: 7n } });
    const change = (settings: object): Promise<unknown> =>
      client.management('update_settings', { canister_id: principal(id), settings });
    await change({
      memory_allocation: 1n,
      wasm_memory_threshold: 2n,
      reserved_cycles_limit: 3n,
      log_visibility: { public: null },
      status_visibility: { allowed_viewers: [principal(BOB)] },
      environment_variables: [
        { name: 'B', value: '2' },
        { name: 'A', value: '1' },
      ],
    });
    expect((await client.status(id))['settings']).toMatchObject({
      compute_allocation: 7n,
      memory_allocation: 1n,
      wasm_memory_threshold: 2n,
      reserved_cycles_limit: 3n,
      log_visibility: { public: null },
      status_visibility: { allowed_viewers: [principal(BOB)] },
      environment_variables: [
        { name: 'A', value: '1' },
        { name: 'B', value: '2' },
      ],
    });
    await client.managementQuery('canister_status', { canister_id: principal(id) }, BOB);
    await expect(change({ compute_allocation: 101n })).rejects.toMatchObject({ code: 'IC0504' });
    await expect(
      change({ controllers: Array.from({ length: 11 }, (_, i) => principal(Uint8Array.of(i, 1))) }),
    ).rejects.toThrow(/'controllers' length exceeds maximum size allowed of 10/);
    await expect(
      change({ environment_variables: [{ name: 'x'.repeat(129), value: '' }] }),
    ).rejects.toMatchObject({
      code: 'IC0408',
    });
    await change({ controllers: [principal(BOB)] });
    expect(client.canisters.get(Buffer.from(id).toString('hex'))?.controllers).toEqual([BOB]);
    await expect(change({ compute_allocation: 1n })).rejects.toMatchObject({
      code: 'IC0512',
      admitted: false,
    });
  });

  test('only canisters may create, deposit and ask for randomness', async () => {
    const refused = { code: 'IC0406', rejectCode: 4, admitted: false };
    await expect(client.management('create_canister', {})).rejects.toMatchObject(refused);
    await expect(client.update(MANAGEMENT, 'raw_rand')).rejects.toMatchObject(refused);
    const id = await client.create();
    await expect(client.management('deposit_cycles', { canister_id: principal(id) })).rejects.toMatchObject(
      refused,
    );
    await expect(
      client.management('fetch_canister_logs', { canister_id: principal(id) }),
    ).rejects.toMatchObject(refused);
    await expect(client.update(MANAGEMENT, 'no_such_method')).rejects.toMatchObject({ code: 'IC0536' });
    await expect(client.update(MANAGEMENT, 'start_canister', Uint8Array.of(1, 2))).rejects.toMatchObject({
      code: 'IC0408',
    });
  });

  test('topping up adds exactly the amount', async () => {
    const id = await client.create({ cycles: 5n });
    const amount = 2n ** 70n + 1n;
    await client.management('provisional_top_up_canister', { canister_id: principal(id), amount }, BOB);
    const metrics = await client.managementQuery('canister_metrics', { canister_id: principal(id) });
    const { ingress_induction } = (metrics as { cycles_consumed: { ingress_induction: bigint } })
      .cycles_consumed;
    expect(ingress_induction).toBeGreaterThan(1_200_000n);
    expect(await client.cycles(id)).toBe(amount + 5n - ingress_induction);
  });

  test('the module hash is that of the bytes as sent: gzip differs from raw', async () => {
    const zipped = new Uint8Array(gzipSync(counter));
    const id = await client.deploy(zipped);
    expect((await client.status(id))['module_hash']).toEqual([sha256(zipped)]);
    expect(client.canisters.get(Buffer.from(id).toString('hex'))?.moduleHash).toEqual(sha256(zipped));
    await client.update(id, 'inc');
  });

  test('a module in chunks is put together, and wrong chunks are refused', async () => {
    const id = await client.create();
    const target = principal(id);
    const parts = [counter.slice(0, 100), counter.slice(100)];
    for (const chunk of parts) {
      expect(await client.management('upload_chunk', { canister_id: target, chunk })).toEqual({
        hash: sha256(chunk),
      });
    }
    const hashes = parts.map((part) => ({ hash: sha256(part) }));
    expect(await client.management('stored_chunks', { canister_id: target })).toEqual(hashes);
    const install = (list: object[], hash = sha256(counter)): Promise<unknown> =>
      client.management('install_chunked_code', {
        mode: { install: null },
        target_canister: target,
        chunk_hashes_list: list,
        wasm_module_hash: hash,
        arg: EMPTY,
      });
    await expect(install(hashes.toReversed())).rejects.toThrow(/does not match computed hash/);
    await expect(install([{ hash: sha256(Uint8Array.of(1)) }])).rejects.toThrow(/was not found/);
    await client.restart();
    await install(hashes);
    await client.management('clear_chunk_store', { canister_id: target });
    expect(await client.management('stored_chunks', { canister_id: target })).toEqual([]);
    expect((await client.update(id, 'inc'))[0]).toBe(1);
    await expect(
      client.management('upload_chunk', {
        canister_id: target,
        chunk: new Uint8Array(randomBytes(1024 * 1024 + 1)),
      }),
    ).rejects.toThrow(/exceeds the maximum chunk size/);
  });

  test('a list of chunks is refused as soon as it is longer than a module can be', async () => {
    const store = principal(await client.create());
    const chunk = new Uint8Array(randomBytes(1024 * 1024));
    const hash = sha256(chunk);
    await client.management('upload_chunk', { canister_id: store, chunk });
    await expect(
      client.management('install_chunked_code', {
        mode: { install: null },
        target_canister: store,
        chunk_hashes_list: Array.from({ length: 2_000 }, () => ({ hash })),
        wasm_module_hash: hash,
        arg: EMPTY,
      }),
    ).rejects.toThrow(/exceeds the maximum allowed size/);
  });

  test('a chunk costs the same when it is there already, and must not freeze its canister', async () => {
    const instructions = async (id: Uint8Array): Promise<bigint> => {
      const metrics = await client.managementQuery('canister_metrics', { canister_id: principal(id) });
      return (metrics as { cycles_consumed: { instructions: bigint } }).cycles_consumed.instructions;
    };
    const chunk = Uint8Array.of(1, 2, 3);
    const rich = await client.create();
    for (const paid of [205_000_000n, 410_000_000n]) {
      await client.management('upload_chunk', { canister_id: principal(rich), chunk });
      expect(await instructions(rich)).toBe(paid);
    }
    // A chunk counts as a mebibyte: 10,000 days of it cost 107,156,250,000.
    const settings = { freezing_threshold: 864_000_000n };
    const poor = await client.create({ cycles: 107_000_000_000n, settings });
    const upload = { canister_id: principal(poor), chunk };
    await expect(client.management('upload_chunk', upload)).rejects.toMatchObject({ code: 'IC0532' });
    expect(await instructions(poor)).toBe(0n);
  });

  test('there is no amount of more than 128 bits', async () => {
    await expect(client.create({ cycles: 2n ** 128n })).rejects.toMatchObject({ code: 'IC0408' });
    const id = await client.create({ cycles: 2n ** 128n - 1n });
    const topUp = { canister_id: principal(id), amount: 2n ** 128n };
    await expect(client.management('provisional_top_up_canister', topUp)).rejects.toMatchObject({
      code: 'IC0408',
    });
  });

  test('a limit of the heap may not be less than the heap', async () => {
    const id = await client.deploy(counter);
    const { memory_metrics } = await client.status(id);
    const { wasm_memory_size: size } = memory_metrics as { wasm_memory_size: bigint };
    const limit = (wasm_memory_limit: bigint): Promise<unknown> =>
      client.management('update_settings', { canister_id: principal(id), settings: { wasm_memory_limit } });
    await expect(limit(size - 1n)).rejects.toMatchObject({ code: 'IC0504' });
    await limit(size);
    await limit(0n);
  });

  test('every start and stop raises the version, and so does having stopped', async () => {
    const id = await client.create();
    for (const [method, version] of [
      ['start_canister', 1n],
      ['stop_canister', 3n],
      ['stop_canister', 4n],
      ['start_canister', 5n],
    ] as const) {
      await client.management(method, { canister_id: principal(id) });
      expect(await client.status(id)).toMatchObject({ version });
    }
  });

  test('the history tells what happened to a canister', async () => {
    const id = await client.deploy(counter);
    await client.management('uninstall_code', { canister_id: principal(id) });
    const proxy = await Proxy.deploy(client);
    const info = (await proxy.call('canister_info', {
      canister_id: principal(id),
      num_requested_changes: 2n,
    })) as { total_num_changes: bigint; recent_changes: { details: object }[] };
    expect(info.total_num_changes).toBe(3n);
    expect(info.recent_changes.map(({ details }) => Object.keys(details)[0])).toEqual([
      'code_deployment',
      'code_uninstall',
    ]);
  });

  test('a repeated request is answered from the history, also after a restart', async () => {
    const id = await client.deploy(counter);
    const requestId = new Uint8Array(randomBytes(32));
    await client.submit(id, 'inc', EMPTY, ALICE, requestId);
    await client.outcome(requestId);
    await client.submit(id, 'inc', EMPTY, ALICE, requestId);
    await client.restart();
    await client.submit(id, 'inc', EMPTY, ALICE, requestId);
    expect(client.statusOf(requestId)).toBe('replied');
    expect((await client.query(id, 'get'))[0]).toBe(1);
  });

  test('a message that was queued when the engine closed runs after the restart', async () => {
    const id = await client.deploy(counter);
    const requests = await Promise.all(Array.from({ length: 200 }, () => client.submit(id, 'inc', EMPTY)));
    await client.restart();
    await Promise.all(requests.map((request) => client.outcome(request)));
    expect((await client.query(id, 'get'))[0]).toBe(200);
  });

  test('a second subscriber sees the whole state first', async () => {
    const id = await client.deploy(counter);
    const first = await new Promise<{ canisters: readonly { canisterId: Uint8Array }[] }>((resolve) =>
      client.engine.subscribe(resolve),
    );
    expect(first.canisters.length).toBe(client.canisters.size);
    expect(first.canisters.some(({ canisterId: other }) => Buffer.from(other).equals(id))).toBe(true);
    expect(IDL.decode([IDL.Record({ canister_id: IDL.Principal })], canisterId(id))).toHaveLength(1);
  });
});
