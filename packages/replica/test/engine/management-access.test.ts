import { createHash } from 'node:crypto';
import { IDL } from '@icp-sdk/core/candid';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ALICE, BOB, encodeManagement, principal, TestClient } from '../engine-client.ts';
import { Proxy } from '../canisters/proxy-canister.ts';
import { COUNTER_WAT } from '../canisters/text-canisters.ts';
import { wat } from '../../../wasm/test/wasm.ts';
import { MANAGEMENT_METHODS } from '../../src/management/table.ts';

const MANAGEMENT = new Uint8Array(0);
/** Only canisters may call these (interface specification 0.66; `create_canister` also subnet admins, who are none here). */
const FOR_CANISTERS = [
  'bitcoin_get_balance',
  'bitcoin_get_block_headers',
  'bitcoin_get_current_fee_percentiles',
  'bitcoin_get_utxos',
  'bitcoin_send_transaction',
  'canister_info',
  'canister_metadata',
  'create_canister',
  'deposit_cycles',
  'ecdsa_public_key',
  'http_request',
  'node_metrics_history',
  'raw_rand',
  'schnorr_public_key',
  'sign_with_ecdsa',
  'sign_with_schnorr',
  'subnet_info',
  'vetkd_derive_key',
  'vetkd_public_key',
];
const sha256 = (...parts: Uint8Array[]): Uint8Array =>
  new Uint8Array(createHash('sha256').update(Buffer.concat(parts)).digest());
const utf8 = (text: string): Uint8Array => new TextEncoder().encode(text);

describe('who may call what', { timeout: 60_000 }, () => {
  let client: TestClient;
  let proxy: Proxy;
  let counter: Uint8Array;
  beforeAll(async () => {
    client = await TestClient.start();
    proxy = await Proxy.deploy(client);
    counter = wat(COUNTER_WAT);
  });
  afterAll(() => client[Symbol.asyncDispose]());
  const target = (id: Uint8Array): { canister_id: ReturnType<typeof principal> } => ({
    canister_id: principal(id),
  });

  test('users may not call what is for canisters only, as an update or as a query', async () => {
    const marked = [...MANAGEMENT_METHODS.values()].filter(({ callers }) => callers.kind === 'canisters');
    expect(marked.map(({ name }) => name).toSorted()).toEqual(FOR_CANISTERS);
    for (const name of FOR_CANISTERS) {
      await expect(client.update(MANAGEMENT, name)).rejects.toMatchObject({
        code: 'IC0406',
        rejectCode: 4,
        admitted: false,
      });
      await expect(client.query(MANAGEMENT, name)).rejects.toMatchObject({ code: 'IC0536' });
    }
  });

  test('what is a query only is refused as an update, from canisters too', async () => {
    const id = await client.deploy(counter);
    await expect(client.management('fetch_canister_logs', target(id))).rejects.toMatchObject({
      code: 'IC0406',
    });
    await expect(proxy.call('fetch_canister_logs', target(id))).rejects.toMatchObject({ rejectCode: 4 });
    await expect(client.query(MANAGEMENT, 'list_canisters')).rejects.toMatchObject({ code: 'IC0410' });
    await expect(
      client.query(MANAGEMENT, 'start_canister', encodeManagement('start_canister', target(id))),
    ).rejects.toMatchObject({
      code: 'IC0536',
    });
  });

  test('a composite query may ask for a status, with the rights of its canister', async () => {
    const id = await client.create({ settings: { controllers: [principal(ALICE), principal(proxy.id)] } });
    expect(await proxy.ask('canister_status', target(id))).toMatchObject({ status: { running: null } });
    expect(await proxy.ask('canister_metrics', target(id))).toMatchObject({
      cycles_consumed: { http_outcalls: 0n },
    });
    expect(await proxy.ask('fetch_canister_logs', target(id))).toEqual({ canister_log_records: [] });
    const foreign = await client.create();
    await expect(proxy.ask('canister_status', target(foreign))).rejects.toMatchObject({ rejectCode: 5 });
    await expect(proxy.ask('canister_info', target(id))).rejects.toMatchObject({ rejectCode: 5 });
  });

  test('metrics are for controllers; the status has its own visibility', async () => {
    const id = await client.create();
    await expect(client.managementQuery('canister_metrics', target(id), BOB)).rejects.toMatchObject({
      code: 'IC0512',
    });
    await client.management('update_settings', {
      ...target(id),
      settings: { status_visibility: { public: null } },
    });
    await client.managementQuery('canister_status', target(id), BOB);
    await expect(client.managementQuery('canister_metrics', target(id), BOB)).rejects.toMatchObject({
      code: 'IC0512',
    });
  });

  test('a canister sees its own status, but neither its log nor its snapshots', async () => {
    const own = target(proxy.id);
    expect(await proxy.call('canister_status', own)).toMatchObject({ status: { running: null } });
    await expect(proxy.ask('fetch_canister_logs', own)).rejects.toMatchObject({ rejectCode: 5 });
    await expect(proxy.call('list_canister_snapshots', own)).rejects.toMatchObject({ rejectCode: 5 });
  });

  test('metadata is public or for controllers', async () => {
    const section = (name: string, content: string): Uint8Array => {
      const body = Buffer.concat([Buffer.of(name.length), Buffer.from(name), Buffer.from(content)]);
      return new Uint8Array(Buffer.concat([Buffer.of(0, body.length), body]));
    };
    const module = new Uint8Array([
      ...counter,
      ...section('icp:public about', 'open'),
      ...section('icp:private notes', 'hidden'),
    ]);
    const id = await client.deploy(module);
    const read = (name: string): Promise<unknown> => proxy.call('canister_metadata', { ...target(id), name });
    expect(await read('about')).toEqual({ value: utf8('open') });
    await expect(read('notes')).rejects.toMatchObject({ rejectCode: 4 });
    await expect(read('other')).rejects.toMatchObject({ rejectCode: 4 });
    await client.management('update_settings', {
      ...target(id),
      settings: { controllers: [principal(proxy.id)] },
    });
    expect(await read('notes')).toEqual({ value: utf8('hidden') });
  });

  test('creation is in the history with its variables; the version a canister states must be its own', async () => {
    const variables = [
      { name: 'B', value: '2' },
      { name: 'A', value: '1' },
    ];
    const create = (version?: bigint): Promise<unknown> =>
      proxy.call(
        'create_canister',
        {
          settings: { environment_variables: variables },
          ...(version !== undefined && { sender_canister_version: version }),
        },
        10n ** 13n,
      );
    const version = (await client.status(proxy.id))['version'] as bigint;
    await expect(create(version + 1n)).rejects.toThrow(/sender canister version/);
    const now = (await client.status(proxy.id))['version'] as bigint;
    const { canister_id } = (await create(now)) as { canister_id: ReturnType<typeof principal> };
    const hashes = variables
      .map(({ name, value }) => Buffer.from([...sha256(utf8(name)), ...sha256(utf8(value))]))
      .toSorted(Buffer.compare);
    expect(await proxy.call('canister_info', { canister_id, num_requested_changes: 5n })).toMatchObject({
      total_num_changes: 1n,
      controllers: [principal(proxy.id)],
      recent_changes: [
        {
          origin: { from_canister: { canister_id: principal(proxy.id), canister_version: [now] } },
          details: { creation: { environment_variables_hash: [sha256(...hashes)] } },
        },
      ],
    });
  });

  test('the subnet does not give more compute or memory than it has', async () => {
    const ids = await Promise.all([0, 1, 2].map(() => client.create({ cycles: 10n ** 17n })));
    const set = (id: Uint8Array | undefined, settings: object): Promise<unknown> =>
      client.management('update_settings', { ...target(id ?? MANAGEMENT), settings });
    await set(ids[0], { compute_allocation: 100n });
    await set(ids[1], { compute_allocation: 100n });
    await expect(set(ids[2], { compute_allocation: 100n })).rejects.toMatchObject({
      code: 'IC0101',
      rejectCode: 1,
    });
    await set(ids[2], { compute_allocation: 99n });
    await expect(client.create({ settings: { compute_allocation: 1n } })).rejects.toMatchObject({
      code: 'IC0101',
    });
    await set(ids[0], { compute_allocation: 0n });
    await set(ids[2], { compute_allocation: 100n });
    await expect(set(ids[0], { memory_allocation: 3n * 1024n ** 4n })).rejects.toMatchObject({
      code: 'IC0101',
    });
  });

  test('what has nothing to act on here says so, and the history of the nodes is empty', async () => {
    const network = { mainnet: null };
    await expect(
      proxy.call('bitcoin_get_balance', { address: 'x', network }, 10n ** 12n),
    ).rejects.toMatchObject({ rejectCode: 4, message: 'No bitcoin canisters available.' });
    const subnet_id = principal(client.configuration.subnetId);
    expect(
      await proxy.call('node_metrics_history', { subnet_id, start_at_timestamp_nanos: 0n }),
      'nobody proposes blocks',
    ).toEqual([]);
    await expect(
      proxy.call('node_metrics_history', { subnet_id: principal(ALICE), start_at_timestamp_nanos: 0n }),
    ).rejects.toMatchObject({ rejectCode: 3 });
    expect(await proxy.call('subnet_info', { subnet_id })).toEqual({
      replica_version: '1.0.0',
      registry_version: 1n,
    });
    await expect(proxy.call('subnet_info', { subnet_id: principal(ALICE) })).rejects.toMatchObject({
      rejectCode: 3,
    });
    await expect(
      proxy.call(
        'http_request',
        { url: 'https://example.com', method: { get: null }, headers: [] },
        10n ** 12n,
      ),
    ).rejects.toMatchObject({ rejectCode: 5, message: 'This API is not enabled on this subnet' });
  });

  test('randomness is fresh and 32 bytes', async () => {
    const draws = [await proxy.call('raw_rand', undefined), await proxy.call('raw_rand', undefined)];
    expect(draws[0]).toHaveLength(32);
    expect(draws[0]).not.toEqual(draws[1]);
    expect(
      IDL.decode(
        [IDL.Vec(IDL.Nat8)],
        await proxy.callRaw('raw_rand', new Uint8Array([68, 73, 68, 76, 0, 0])),
      ),
    ).toHaveLength(1);
  });
});
