import { createRequire } from 'node:module';
import type { DappInstance } from '@cannery/contract';
import { Actor, HttpAgent } from '@icp-sdk/core/agent';
import type { IDL } from '@icp-sdk/core/candid';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { RunningServer } from '../../src/start-server.ts';
import { ApiClient } from '../support/client.ts';
import { startTestServer } from '../support/server.ts';

interface Compiler {
  write(name: string, source: string): void;
  setPublicMetadata(names: readonly string[]): void;
  wasm(name: string, mode: 'ic'): { wasm: Uint8Array };
}

/** A counter that counts in steps. */
function compile(step: number): Uint8Array {
  const loaded = createRequire(import.meta.url)('motoko') as Compiler & { default?: Compiler };
  const compiler = loaded.default ?? loaded;
  const source = `persistent actor { var count : Nat = 0; public func inc() : async Nat { count += ${step}; count } }`;
  compiler.write('Main.mo', source);
  compiler.setPublicMetadata(['candid:service', 'candid:args', 'motoko:stable-types']);
  return compiler.wasm('Main.mo', 'ic').wasm;
}

let server: RunningServer;
let ada: ApiClient;
let eve: ApiClient;
beforeAll(async () => {
  server = await startTestServer();
  ada = await ApiClient.signIn(server.url, 'ada');
  eve = await ApiClient.signIn(server.url, 'eve');
});
afterAll(() => server.close());

const texts = { git_url: 'https://example.org/ada/counter', description: 'Counts' };

async function ok(
  client: ApiClient,
  path: string,
  body: object,
  headers = {},
): Promise<Record<string, unknown>> {
  const answer = await client.post(path, body, headers);
  expect(answer.status, `${path}: ${answer.body.error}`).toBe(200);
  return answer.body;
}

async function instanceOf(client: ApiClient, canister: string): Promise<DappInstance | undefined> {
  const all = (await client.list('/marketplace/instances')) as unknown as DappInstance[];
  return all.find(({ canister_id }) => canister_id === canister);
}

test('an instance is upgraded with its data, and goes back to code and data of before', async () => {
  const module = compile(1);
  const [first, second] = [await ada.uploadWasm(module), await ada.uploadWasm(compile(10))];
  const submission = { name: 'Counter', version: '1.0.0', wasm: first, ...texts };
  const dapp = String((await ok(ada, '/marketplace/submit', submission)).data);
  const canister = await eve.create('Mine');
  await ok(
    eve,
    '/canister/install',
    { canister_id: canister, identifier: first },
    { 'code-origin': `dapp ${dapp}` },
  );
  const idl: IDL.InterfaceFactory = ({ IDL }) => IDL.Service({ inc: IDL.Func([], [IDL.Nat], []) });
  const agent = await HttpAgent.create({ host: server.networkUrl, shouldFetchRootKey: true });
  const counter = Actor.createActor<{ inc(): Promise<bigint> }>(idl, { agent, canisterId: canister });
  expect(await counter.inc()).toBe(1n);
  const fresh = { dapp_id: dapp, dapp_name: 'Counter', version: '1.0.0', update: null, way_back: null };
  expect(await instanceOf(eve, canister)).toMatchObject(fresh);

  // A copy of the same module by somebody else offers nothing to canisters of the first.
  await eve.uploadWasm(module);
  const copied = await ok(eve, '/marketplace/submit', { ...submission, name: 'Copy' });
  const evil = await eve.uploadWasm(compile(666));
  await ok(eve, `/marketplace/update/${copied.data}`, { wasm: evil, version: '9.9.9' });
  expect(await instanceOf(eve, canister)).toMatchObject(fresh);

  await ok(ada, `/marketplace/update/${dapp}`, { wasm: second, version: '1.1.0', notes: 'In tens' });
  const update = { version: '1.1.0', identifier: second, notes: 'In tens' };
  expect(await instanceOf(eve, canister)).toMatchObject({ version: '1.0.0', update });
  const upgrade = { canister_id: canister, identifier: second };
  const other = await eve.post('/marketplace/upgrade', { ...upgrade, identifier: evil });
  expect([other.status, other.body.code]).toEqual([404, 'not_found']);
  expect((await ada.post('/marketplace/upgrade', upgrade)).status).toBe(404);
  await ok(eve, '/marketplace/upgrade', upgrade);
  await ok(eve, '/marketplace/upgrade', upgrade);
  expect(await counter.inc()).toBe(11n);
  const after = { version: '1.1.0', update: null, way_back: { version: '1.0.0' } };
  expect(await instanceOf(eve, canister)).toMatchObject(after);
  expect(await eve.list(`/canister/snapshots/${canister}`)).toHaveLength(1);

  expect((await ada.post('/marketplace/back', { canister_id: canister })).status).toBe(404);
  const named = { 'idempotency-key': 'back-once' };
  const back = () => eve.post('/marketplace/back', { canister_id: canister }, named);
  expect((await back()).status).toBe(200);
  expect(await counter.inc()).toBe(2n);
  expect(await eve.list(`/canister/snapshots/${canister}`)).toEqual([]);
  // Whoever got no answer asks again, and nothing is put back a second time.
  expect((await back()).status).toBe(200);
  expect(await counter.inc()).toBe(3n);
  expect((await eve.post('/marketplace/upgrade', upgrade, named)).body.code).toBe('invalid_input');
  expect(await instanceOf(eve, canister)).toMatchObject({ version: '1.0.0', update, way_back: null });
  expect((await eve.post('/marketplace/back', { canister_id: canister })).status).toBe(404);

  const once = () => eve.post('/marketplace/upgrade', upgrade, { 'idempotency-key': 'upgrade-once' });
  expect((await Promise.all([once(), once()])).map(({ status }) => status).toSorted()[0]).toBe(200);
  expect((await once()).status).toBe(200);
  expect(await eve.list(`/canister/snapshots/${canister}`)).toHaveLength(1);
  await ok(ada, `/marketplace/delete/${dapp}`, {});
  const withdrawn = { dapp_name: 'Counter', version: '1.1.0', withdrawn: true, update: null };
  expect(await instanceOf(eve, canister)).toMatchObject(withdrawn);
  expect(await counter.inc()).toBe(13n);
});

test('an upgrade that fails leaves the canister running as it was', async () => {
  const first = await ada.uploadWasm(compile(3));
  const dapp = String(
    (await ok(ada, '/marketplace/submit', { name: 'Broken', version: '1', wasm: first, ...texts })).data,
  );
  const canister = await eve.create('Unharmed');
  await ok(
    eve,
    '/canister/install',
    { canister_id: canister, identifier: first },
    { 'code-origin': `dapp ${dapp}` },
  );
  // Not made to keep main memory, which the installed code needs.
  const wrong = await ada.uploadWasm(Buffer.from([0, 0x61, 0x73, 0x6d, 1, 0, 0, 0]));
  await ok(ada, `/marketplace/update/${dapp}`, { wasm: wrong, version: '2' });
  const failed = await eve.post('/marketplace/upgrade', { canister_id: canister, identifier: wrong });
  expect([failed.status, failed.body.code]).toEqual([400, 'invalid_input']);
  const { body } = await eve.get(`/canister/status/${canister}`);
  expect(body).toMatchObject({ status: 'running', module_hash: first });
  expect(await instanceOf(eve, canister)).toMatchObject({ version: '1', way_back: null });
  expect(await eve.list(`/canister/snapshots/${canister}`)).toEqual([]);
});

test('the way back leads to the last version, and a stopped canister stays stopped', async () => {
  const [one, two, three] = [20, 21, 22].map(compile);
  if (one === undefined || two === undefined || three === undefined) throw new Error('Nothing was compiled.');
  const wasm = await ada.uploadWasm(one);
  const submission = { name: 'Thrice', version: '1', wasm, ...texts };
  const dapp = String((await ok(ada, '/marketplace/submit', submission)).data);
  const canister = await eve.create('Quiet');
  await ok(
    eve,
    '/canister/install',
    { canister_id: canister, identifier: wasm },
    { 'code-origin': `dapp ${dapp}` },
  );
  await ok(eve, '/canister/stop', { canister_id: canister });
  for (const [version, module] of [['2', two] as const, ['3', three] as const]) {
    const identifier = await ada.uploadWasm(module);
    await ok(ada, `/marketplace/update/${dapp}`, { wasm: identifier, version });
    await ok(eve, '/marketplace/upgrade', { canister_id: canister, identifier });
    expect(await eve.list(`/canister/snapshots/${canister}`)).toHaveLength(1);
  }
  expect(await instanceOf(eve, canister)).toMatchObject({ version: '3', way_back: { version: '2' } });
  await ok(eve, '/marketplace/back', { canister_id: canister });
  expect(await instanceOf(eve, canister)).toMatchObject({ version: '2', way_back: null });
  expect((await eve.get(`/canister/status/${canister}`)).body.status).toBe('stopped');
});

test('the Candid texts of a version are there for everybody', async () => {
  const wasm = await ada.uploadWasm(compile(7));
  const submitted = await ok(ada, '/marketplace/submit', { name: 'Read', version: '1', wasm, ...texts });
  const [version] = await eve.list(`/marketplace/versions/${submitted.data}`);
  expect(version).toMatchObject({ identifier: wasm, size: expect.any(Number) });
  const { body } = await eve.get(`/marketplace/interface/${version?.id}`);
  expect(body.candid).toContain('inc: () -> (nat)');
  expect((await eve.get('/marketplace/interface/no-such-version')).status).toBe(404);
});
