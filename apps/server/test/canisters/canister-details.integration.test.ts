import {
  type CanisterDetails,
  canisterChange,
  canisterDetails,
  canisterLogPage,
  canisterSnapshot,
} from '@cannery/contract';
import { HttpAgent } from '@icp-sdk/core/agent';
import { IDL } from '@icp-sdk/core/candid';
import { Ed25519KeyIdentity } from '@icp-sdk/core/identity';
import { Principal } from '@icp-sdk/core/principal';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { RunningServer } from '../../src/start-server.ts';
import { ApiClient } from '../support/client.ts';
import { startTestServer } from '../support/server.ts';

const HEADER = [0x00, 0x61, 0x73, 0x6d, 0x01, 0x00, 0x00, 0x00];
const EMPTY_MODULE = Uint8Array.from(HEADER);
/** Another module that does nothing: one custom section named "x". */
const OTHER_MODULE = Uint8Array.from([...HEADER, 0, 2, 1, 120]);

/**
 * A module whose update method `say` prints its argument and replies with nothing. Its text:
 * (module
 * (import "ic0" "msg_arg_data_size" (func $size (result i32)))
 * (import "ic0" "msg_arg_data_copy" (func $copy (param i32 i32 i32)))
 * (import "ic0" "debug_print" (func $print (param i32 i32)))
 * (import "ic0" "msg_reply" (func $reply))
 * (memory 1)
 * (func (export "canister_update say")
 * (call $copy (i32.const 0) (i32.const 0) (call $size))
 * (call $print (i32.const 0) (call $size))
 * (call $reply)))
 */
const TALKATIVE = Buffer.from(
  'AGFzbQEAAAABEwRgAAF/YAN/f38AYAJ/fwBgAAACUwQDaWMwEW1zZ19hcmdfZGF0YV9zaXplAAADaWMwEW1zZ19hcmdfZGF0YV9jb3B5AAEDaWMwC2RlYnVnX3ByaW50AAIDaWMwCW1zZ19yZXBseQADAwIBAwUDAQABBxcBE2NhbmlzdGVyX3VwZGF0ZSBzYXkABAoUARIAQQBBABAAEAFBABAAEAIQAws=',
  'base64',
);

let server: RunningServer;
let ada: ApiClient;
let bob: ApiClient;
beforeAll(async () => {
  server = await startTestServer({ OPENING_BALANCE_T: '100' });
  [ada, bob] = await Promise.all([ApiClient.signIn(server.url, 'ada'), ApiClient.signIn(server.url, 'bob')]);
});
afterAll(() => server.close());

async function details(client: ApiClient, id: string): Promise<CanisterDetails> {
  const { status, body } = await client.get(`/canister/details/${id}`);
  if (status !== 200) throw new Error(`details: ${status} ${body.error}`);
  return canisterDetails.parse(body);
}

const history = async (client: ApiClient, id: string) =>
  (await client.list(`/canister/history/${id}`)).map((entry) => canisterChange.parse(entry));
const change = (client: ApiClient, id: string, settings: object, more: object = {}) =>
  client.post('/canister/settings', { canister_id: id, settings, ...more });

async function install(client: ApiClient, id: string, wasm: Uint8Array, more: object = {}): Promise<void> {
  const identifier = await client.uploadWasm(wasm);
  const { status, body } = await client.post('/canister/install', { canister_id: id, identifier, ...more });
  if (status !== 200) throw new Error(`install: ${status} ${body.error}`);
}

/** An agent of somebody who is not the console. */
async function outsider(): Promise<{ agent: HttpAgent; principal: string }> {
  const identity = Ed25519KeyIdentity.generate();
  const agent = await HttpAgent.create({ host: server.networkUrl, identity, shouldFetchRootKey: true });
  return { agent, principal: identity.getPrincipal().toText() };
}

describe('GET /canister/details/{id}', () => {
  test('says what the network knows: status, memory, costs and settings', async () => {
    const id = await ada.create('Looked at');
    const before = await details(ada, id);
    expect(before).toMatchObject({
      id,
      status: 'running',
      empty: true,
      frozen: false,
      cycles: '2000000000000',
      module_hash: null,
      settings: { controllers: [before.console_principal], freezing_threshold: '2592000' },
    });
    await install(ada, id, OTHER_MODULE);
    const after = await details(ada, id);
    expect(after).toMatchObject({ empty: false, module_hash: expect.stringMatching(/^[0-9a-f]{64}$/) });
    expect(BigInt(after.version)).toBeGreaterThan(BigInt(before.version));
    const { total, ...parts } = after.memory;
    expect(Object.values(parts).reduce((sum, part) => sum + BigInt(part), 0n)).toBe(BigInt(total));
    expect(after.memory.wasm_binary).toBe(String(OTHER_MODULE.length));
  });
});

describe('POST /canister/settings', () => {
  test('also of calls, logs and status', async () => {
    const id = await ada.create('Guarded');
    const { status } = await change(ada, id, {
      minimum_incoming_canister_call_cycles: '7',
      log_memory_limit: '8192',
      status_visibility: 'public',
    });
    expect(status).toBe(200);
    expect((await details(ada, id)).settings).toMatchObject({
      minimum_incoming_canister_call_cycles: '7',
      log_memory_limit: '8192',
      status_visibility: 'public',
    });
    const [entry] = await history(ada, id);
    expect(entry?.detail).toContain('cycles a call must bring: 0 → 7');
    expect(entry?.detail).toContain('log memory (bytes): 4096 → 8192');
    expect(entry?.detail).toContain('status visibility: controllers → public');
    expect((await change(ada, id, { log_memory_limit: '4095' })).status).toBe(400);
  });

  test('changes what is given, leaves the rest, and tells the history old and new values', async () => {
    const id = await ada.create('Set');
    const { principal } = await outsider();
    const { status, body } = await change(ada, id, {
      freezing_threshold: '86400',
      log_visibility: { allowed_viewers: [principal] },
      environment_variables: [{ name: 'TOKEN', value: 'secret-value' }],
    });
    expect(body.error).toBeUndefined();
    expect(status).toBe(200);
    const { settings } = await details(ada, id);
    expect(settings).toMatchObject({
      freezing_threshold: '86400',
      log_visibility: { allowed_viewers: [principal] },
      snapshot_visibility: 'controllers',
      environment_variables: [{ name: 'TOKEN', value: 'secret-value' }],
    });
    const [entry] = await history(ada, id);
    expect(entry).toMatchObject({ kind: 'settings', actor: 'ada' });
    expect(entry?.detail).toContain('freezing threshold (seconds): 2592000 → 86400');
    expect(entry?.detail).toContain('environment variables: none → TOKEN');
    expect(entry?.detail).not.toContain('secret-value');
  });

  test('refuses to lock the console out unless that is meant; then the canister can only leave the list', async () => {
    const id = await ada.create('Given away');
    const { principal } = await outsider();
    const refused = await change(ada, id, { controllers: [principal] });
    expect(refused.status).toBe(400);
    expect(refused.body.error).toContain('can no longer manage the canister');
    const given = await change(ada, id, { controllers: [principal] }, { give_up_control: true });
    expect(given.status).toBe(200);
    expect(given.body).toMatchObject({ settings: { controllers: [principal] } });
    expect((await ada.post('/canister/stop', { canister_id: id })).status).toBe(400);
    const left = await ada.post('/canister/delete', { canister_id: id });
    expect(left.body).toMatchObject({
      message: expect.stringContaining('still exists on the network'),
      deleted: false,
      refunded: '0',
    });
    expect((await ada.get(`/canister/status/${id}`)).status).toBe(404);
  });

  test('refuses principals with a typing mistake and values out of range before anything is sent', async () => {
    const id = await ada.create('Strict');
    for (const settings of [
      { controllers: ['rrkah-fqaaa-aaaaa-aaaaq-caj'] },
      { compute_allocation: '101' },
      { freezing_threshold: (2n ** 64n).toString() },
      { freezing_threshold: '-1' },
    ]) {
      const { status, body } = await change(ada, id, settings);
      expect([status, body.code], JSON.stringify(settings)).toEqual([400, 'invalid_input']);
    }
    expect((await history(ada, id)).map(({ kind }) => kind)).toEqual(['created']);
  });
});

test('history: every action has one entry, with who did it', async () => {
  const id = await ada.create('Busy');
  await install(ada, id, EMPTY_MODULE);
  await install(ada, id, OTHER_MODULE, { mode: 'upgrade', skip_pre_upgrade: true });
  await install(ada, id, EMPTY_MODULE, { mode: 'reinstall' });
  await ada.post('/canister/topup', { canister_id: id, amount: 1.5 });
  await ada.post('/canister/stop', { canister_id: id });
  await ada.post('/canister/start', { canister_id: id });
  const entries = await history(ada, id);
  expect(entries.map(({ kind, actor }) => `${kind} by ${actor}`)).toEqual([
    'started by ada',
    'stopped by ada',
    'topped_up by ada',
    'reinstalled by ada',
    'upgraded by ada',
    'installed by ada',
    'created by ada',
  ]);
  expect(entries[2]?.detail).toBe('1.5 T from the account.');
  expect(entries[4]?.detail).toContain('pre_upgrade was skipped');
});

test('history: what others change is found, and told as such', async () => {
  const id = await ada.create('Shared');
  const { console_principal: own } = await details(ada, id);
  const { agent, principal } = await outsider();
  await change(ada, id, { controllers: [own, principal] });
  const canisterId = Principal.fromText(id);
  const settings = IDL.Record({ controllers: IDL.Opt(IDL.Vec(IDL.Principal)) });
  await agent.update('aaaaa-aa', {
    methodName: 'update_settings',
    arg: IDL.encode(
      [IDL.Record({ canister_id: IDL.Principal, settings })],
      [{ canister_id: canisterId, settings: { controllers: [[Principal.fromText(own)]] } }],
    ),
    effectiveCanisterId: canisterId,
  });
  await details(ada, id);
  await details(ada, id);
  const entries = await history(ada, id);
  expect(entries.map(({ kind }) => kind)).toEqual(['outside', 'settings', 'created']);
  expect(entries[0]).toMatchObject({ actor: null, detail: `Removed controllers: ${principal}.` });
});

describe('GET /canister/logs/{id}', () => {
  const logs = async (id: string, query = '') =>
    canisterLogPage.parse((await ada.get(`/canister/logs/${id}${query}`)).body);
  async function say(id: string, text: string): Promise<void> {
    const { agent } = await outsider();
    await agent.update(id, { methodName: 'say', arg: Buffer.from(text) });
  }

  test('keeps what was printed, newest first, by pages, searchable whatever the case', async () => {
    const id = await ada.create('Talkative');
    await install(ada, id, TALKATIVE);
    for (const text of ['Ärger im Haus', 'one', 'two']) await say(id, text);
    const all = await logs(id);
    expect(all).toMatchObject({
      records: [
        { index: '2', content: 'two' },
        { index: '1', content: 'one' },
        { index: '0', content: 'Ärger im Haus' },
      ],
      next: null,
    });
    const first = await logs(id, '?limit=2');
    expect([first.records.length, first.next]).toEqual([2, '1']);
    expect((await logs(id, '?limit=2&before=1')).records).toMatchObject([{ index: '0' }]);
    expect((await logs(id, `?search=${encodeURIComponent('äRGER')}`)).records).toMatchObject([
      { content: 'Ärger im Haus' },
    ]);
    expect((await logs(id, '?search=%25')).records).toEqual([]);

    // Uninstalling drops the network's records; those of the console stay, and new ones follow them.
    await install(ada, id, TALKATIVE, { mode: 'reinstall' });
    await say(id, 'three');
    await expect
      .poll(async () => (await logs(id)).records.map(({ content }) => content))
      .toEqual(['three', 'two', 'one', 'Ärger im Haus']);
  });
});

describe('snapshots', () => {
  const call = (name: string, body: object) => ada.post(`/canister/snapshot/${name}`, body);
  const snapshots = async (id: string) =>
    (await ada.list(`/canister/snapshots/${id}`)).map((entry) => canisterSnapshot.parse(entry));

  test('are taken of stopped canisters only, restored, replaced and deleted', async () => {
    const id = await ada.create('Kept');
    const names = { canister_id: id };
    await install(ada, id, EMPTY_MODULE);
    expect((await call('take', names)).body.code).toBe('canister_not_stopped');
    await ada.post('/canister/stop', names);
    const first = canisterSnapshot.parse((await call('take', names)).body);
    await install(ada, id, OTHER_MODULE, { mode: 'upgrade' });
    const second = canisterSnapshot.parse((await call('take', names)).body);
    expect((await snapshots(id)).map((one) => one.id)).toEqual([second.id, first.id]);

    const { body: restored } = await call('restore', { ...names, snapshot_id: first.id });
    expect(restored).toMatchObject({ status: 'stopped', module_hash: expect.any(String) });
    expect((await ada.get(`/canister/status/${id}`)).body.module_hash).toBe(restored.module_hash);

    const third = canisterSnapshot.parse((await call('take', { ...names, replace: second.id })).body);
    expect((await snapshots(id)).map((one) => one.id)).toEqual([third.id, first.id]);
    expect((await call('delete', { ...names, snapshot_id: first.id })).status).toBe(200);
    expect((await call('delete', { ...names, snapshot_id: first.id })).status).toBe(404);
    expect((await snapshots(id)).map((one) => one.id)).toEqual([third.id]);
    const kinds = (await history(ada, id)).map(({ kind }) => kind);
    expect(kinds.slice(0, 4)).toEqual([
      'snapshot_deleted',
      'snapshot_taken',
      'snapshot_restored',
      'snapshot_taken',
    ]);
    expect(kinds).not.toContain('outside');
  });

  test('an eleventh is refused in words', async () => {
    const id = await ada.create('Full');
    await install(ada, id, EMPTY_MODULE);
    await ada.post('/canister/stop', { canister_id: id });
    for (let count = 0; count < 10; count++) {
      expect((await call('take', { canister_id: id })).status).toBe(200);
    }
    const { status, body } = await call('take', { canister_id: id });
    expect([status, body.error]).toEqual([400, expect.stringContaining('10 snapshots at most')]);
  });
});

test("[AUTH-16] another user's canister is answered exactly like an unknown one", async () => {
  const id = await ada.create('Private');
  const identifier = await bob.uploadWasm(EMPTY_MODULE);
  const snapshot_id = '00';
  const calls = (canister_id: string) => [
    bob.get(`/canister/details/${canister_id}`),
    bob.get(`/canister/balances/${canister_id}`),
    bob.get(`/canister/logs/${canister_id}`),
    bob.get(`/canister/history/${canister_id}`),
    bob.get(`/canister/snapshots/${canister_id}`),
    bob.post('/canister/settings', { canister_id, settings: { freezing_threshold: '1' } }),
    bob.post('/canister/snapshot/take', { canister_id }),
    bob.post('/canister/snapshot/restore', { canister_id, snapshot_id }),
    bob.post('/canister/snapshot/delete', { canister_id, snapshot_id }),
    bob.post('/canister/inspect', { canister_id, identifier }),
  ];
  const strip = (answers: { status: number; body: object }[]) =>
    answers.map(({ status, body }) => ({ status, body }));
  const foreign = strip(await Promise.all(calls(id)));
  expect(foreign).toEqual(strip(await Promise.all(calls('ryjl3-tyaaa-aaaaa-aaaba-cai'))));
  for (const { status } of foreign) expect(status).toBe(404);
  expect((await details(ada, id)).settings.freezing_threshold).toBe('2592000');
});
