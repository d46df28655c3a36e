import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { embeddedNetwork, type EmbeddedNetwork, publicConfig } from '@cannery/contract';
import { HttpAgent } from '@icp-sdk/core/agent';
import { IDL } from '@icp-sdk/core/candid';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { compileMotoko } from '../../../../packages/network/test/compile-motoko.ts';
import type { RunningServer, StartOptions } from '../../src/start-server.ts';
import { ApiClient } from '../support/client.ts';
import { NO_NETWORK, startTestServer } from '../support/server.ts';

/** Counts the hours of its network, and what it is told to; asks the web for something, and says why it does not get it. */
const SOURCE = `import Error "mo:core/Error";
import Timer "mo:core/Timer";
persistent actor {
  var hours = 0;
  var n = 0;
  transient let ic = actor "aaaaa-aa" : actor {
    http_request : {
      url : Text; max_response_bytes : ?Nat64; method : { #get; #head; #post };
      headers : [{ name : Text; value : Text }]; body : ?Blob; transform : ?{ context : Blob };
    } -> async { status : Nat };
  };
  ignore Timer.recurringTimer<system>(#seconds 3600, func() : async () { hours += 1 });
  public query func passed() : async Nat { hours };
  public query func get() : async Nat { n };
  public func add() : async Nat { n += 1; n };
  public func ask() : async Text {
    try {
      ignore await (with cycles = 1_000_000_000_000) ic.http_request({
        url = "https://127.0.0.1:9/"; max_response_bytes = null; method = #get; headers = []; body = null; transform = null;
      });
      "answered"
    } catch (error) { Error.message(error) };
  };
};`;

const HOUR = 3_600;
const DAY = 86_400;
/** Seconds of all jumps of these tests together. */
const JUMPS = 6 * DAY + HOUR;

let dataDir: string;
let server: RunningServer;
let ada: ApiClient;
let id: string;

async function start(options: StartOptions = {}): Promise<RunningServer> {
  server = await startTestServer({ DATA_DIR: dataDir, OPENING_BALANCE_T: '100', ...options });
  return server;
}

async function startAgain(options: StartOptions = {}): Promise<void> {
  await server.close();
  await start(options);
  ada = new ApiClient(server.url, ada.token);
}

beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'cannery-embedded-'));
  await start({ NETWORK_SERVICES: 'icp-ledger,candid-ui' });
  ada = await ApiClient.signIn(server.url, 'ada');
  id = await ada.create('Clock');
  await install(id);
});
afterAll(async () => {
  await server.close();
  await rm(dataDir, { recursive: true, force: true });
});

async function install(canister: string): Promise<void> {
  const identifier = await ada.uploadWasm(compileMotoko(SOURCE));
  const { status, body } = await ada.post('/canister/install', { canister_id: canister, identifier });
  expect(status, body.error).toBe(200);
}

async function network(): Promise<EmbeddedNetwork> {
  return embeddedNetwork.parse((await ada.get('/network')).body);
}

async function done(path: string, body: object): Promise<EmbeddedNetwork> {
  const answer = await ada.post(path, body);
  expect(answer.status, answer.body.error).toBe(200);
  return embeddedNetwork.parse(answer.body);
}

const advance = (seconds: number) => done('/network/advance', { seconds });
const nothing = Buffer.from(IDL.encode([], [])).toString('hex');

async function call(method: string, type: IDL.Type, more: object = {}, key?: string): Promise<unknown> {
  const input = { canister_id: id, method, argument_hex: nothing, ...more };
  const { status, body } = await ada.post(
    '/canister/call',
    input,
    key === undefined ? {} : { 'idempotency-key': key },
  );
  expect(status, body.error).toBe(200);
  if (body['status'] !== 'replied') return body['status'];
  return IDL.decode([type], new Uint8Array(Buffer.from(String(body['reply_hex']), 'hex')))[0];
}

/** Everything that signs a call in another way: intents, management calls, queries, and calls of methods. */
async function worksOn(): Promise<void> {
  const before = (await call('get', IDL.Nat, { as_query: true })) as bigint;
  expect(await call('add', IDL.Nat)).toBe(before + 1n);
  const created = await ada.create('Later');
  await install(created);
  const steps: [string, object][] = [
    ['/canister/topup', { canister_id: created, amount: 1 }],
    ['/canister/stop', { canister_id: created }],
    ['/canister/start', { canister_id: created }],
    ['/canister/stop', { canister_id: created }],
    ['/canister/delete', { canister_id: created }],
  ];
  for (const [path, body] of steps) {
    const answer = await ada.post(path, body);
    expect(answer.status, `${path}: ${answer.body.error}`).toBe(200);
  }
  const listed = (await ada.list('/canister/list/')) as { id: string; status: string }[];
  expect(listed.find((each) => each.id === id)?.status.toLowerCase()).toBe('running');
  expect(listed.find((each) => each.id === created)).toBeUndefined();
}

test('the page is told where the network is, by which key it is known, its time, and what it brings along', async () => {
  const agent = await HttpAgent.create({ host: server.networkUrl });
  const now = await network();
  expect(now.addresses).toContain(server.networkUrl);
  expect(now.root_key).toBe(Buffer.from(await agent.fetchRootKey()).toString('hex'));
  expect(Math.abs(Date.parse(now.time) - Date.now())).toBeLessThan(10_000);
  expect(now).toMatchObject({ ahead_seconds: 0, advancing: false, outcalls: false, controllable: true });
  expect([now.dashboard_url, now.metrics_url]).toEqual([null, null]);
  expect(now.services).toEqual([
    { id: 'ryjl3-tyaaa-aaaaa-aaaba-cai', state: 'running' },
    { id: 'a4gq6-oaaaa-aaaab-qaa4q-cai', state: 'running' },
  ]);
  const config = await ada.get('/config');
  expect(publicConfig.parse(config.body).embedded_network).toBe(true);
});

test('what asks for no sensible span, or has no session, changes nothing', async () => {
  for (const seconds of [0, -1, 1.5, 366 * DAY + 1, '60', null])
    expect((await ada.post('/network/advance', { seconds })).status).toBe(400);
  expect((await ada.post('/network/outcalls', { allowed: 'yes' })).status).toBe(400);
  const stranger = new ApiClient(server.url, 'no-such-token');
  expect((await stranger.post('/network/advance', { seconds: 60 })).status).toBe(401);
  expect((await stranger.get('/network')).status).toBe(401);
  expect(await network()).toMatchObject({ ahead_seconds: 0, outcalls: false });
});

test('canisters call out as soon as that is switched on, and no longer once it is off', async () => {
  const off = String(await call('ask', IDL.Text));
  expect((await done('/network/outcalls', { allowed: true })).outcalls).toBe(true);
  const on = String(await call('ask', IDL.Text));
  expect(on).not.toBe(off);
  // Addresses of this computer stay out of reach.
  expect(on).not.toBe('answered');
  expect((await done('/network/outcalls', { allowed: false })).outcalls).toBe(false);
  expect(await call('ask', IDL.Text)).toBe(off);
  await done('/network/outcalls', { allowed: true });
});

test('after a jump of a day timers have fired and the console works on, and so it does after the next one', async () => {
  const key = 'before-the-jump';
  const expires_at = new Date(Date.now() + 4 * 60_000).toISOString();
  const added = await call('add', IDL.Nat, { expires_at }, key);
  const before = await network();
  const after = await advance(DAY);
  expect(Date.parse(after.time) - Date.parse(before.time)).toBeGreaterThanOrEqual(DAY * 1000);
  expect(after.ahead_seconds).toBe(DAY);
  expect(Number(await call('passed', IDL.Nat, { as_query: true }))).toBeGreaterThanOrEqual(23);
  // The same request made again is the same call: it has an answer or none, and no second effect.
  expect([added, 'pending']).toContain(await call('add', IDL.Nat, { expires_at }, key));
  expect(await call('get', IDL.Nat, { as_query: true })).toBe(added);
  await worksOn();
  await advance(HOUR);
  await worksOn();
  expect((await ada.get('/user/profile')).status).toBe(200);
  expect((await ada.get('/health')).status).toBe(200);
});

/** Milliseconds: a call that the network will never take is not waited for until it expires, four minutes later. */
const SOON_MS = 20_000;

test('what is under way at a jump ends soon, whatever became of it, and leaves the canister free', async () => {
  const free = await ada.create('Free');
  for (const pauseMs of [0, 4, 8, 16, 24]) {
    const begun = performance.now();
    const asked = [
      ada.post('/canister/create', { name: 'At a jump' }),
      ada.post('/canister/stop', { canister_id: free }),
      ada.post('/canister/topup', { canister_id: id, amount: 0.01 }),
    ];
    await delay(pauseMs);
    await advance(DAY);
    for (const { status } of await Promise.all(asked)) expect([200, 400, 503]).toContain(status);
    expect(performance.now() - begun).toBeLessThan(SOON_MS);
    expect((await ada.post('/canister/start', { canister_id: free })).status).toBe(200);
  }
});

test('an agent that has the time of this computer takes that of the network', async () => {
  const agent = await HttpAgent.create({ host: server.networkUrl, shouldFetchRootKey: true });
  const answer = await agent.update(id, { methodName: 'add', arg: new Uint8Array(IDL.encode([], [])) });
  expect(IDL.decode([IDL.Nat], answer.reply)[0]).toBeTypeOf('bigint');
});

test('time and switch are kept over a restart; where others reach the network the operator alone decides', async () => {
  await startAgain();
  expect(await network()).toMatchObject({
    ahead_seconds: JUMPS,
    outcalls: true,
    controllable: true,
    services: [],
  });
  await worksOn();

  await startAgain({ NETWORK_HOSTS: 'net.example.com' });
  const shared = await network();
  expect(shared).toMatchObject({ ahead_seconds: JUMPS, outcalls: false, controllable: false });
  for (const [path, body] of [
    ['/network/advance', { seconds: DAY }],
    ['/network/outcalls', { allowed: true }],
  ] as const) {
    const refused = await ada.post(path, body);
    expect([refused.status, refused.body['code']]).toEqual([403, 'network_shared']);
  }
  expect(await network()).toMatchObject({ ahead_seconds: JUMPS, outcalls: false });
});

test('with another network there is no such page', async () => {
  await startAgain({ IC_URL: NO_NETWORK });
  expect((await ada.get('/network')).body['code']).toBe('not_found');
  expect((await ada.post('/network/advance', { seconds: 60 })).status).toBe(404);
  expect(publicConfig.parse((await ada.get('/config')).body).embedded_network).toBe(false);
});
