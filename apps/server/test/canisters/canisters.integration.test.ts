import { canister as canisterSchema, canisterLog } from '@cannery/contract';
import { HttpAgent } from '@icp-sdk/core/agent';
import { IDL } from '@icp-sdk/core/candid';
import { Principal } from '@icp-sdk/core/principal';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { RunningServer } from '../../src/start-server.ts';
import { ApiClient } from '../support/client.ts';
import { moduleOf } from '../support/modules.ts';
import { startTestServer } from '../support/server.ts';

const T = 1_000_000_000_000;
const HEADER = [0x00, 0x61, 0x73, 0x6d, 0x01, 0x00, 0x00, 0x00];
const EMPTY_MODULE = Uint8Array.from(HEADER);
/** Another module that does nothing: one custom section named "x". */
const OTHER_MODULE = Uint8Array.from([...HEADER, 0, 2, 1, 120]);
const EMPTY_HASH = '93a44bbb96c751218e4c00d479e4c14358122a389acca16205b1e4d0dc5f9476';

let server: RunningServer;
let ada: ApiClient;
let bob: ApiClient;
beforeAll(async () => {
  server = await startTestServer({ OPENING_BALANCE_T: '60' });
  [ada, bob] = await Promise.all([ApiClient.signIn(server.url, 'ada'), ApiClient.signIn(server.url, 'bob')]);
});
afterAll(() => server.close());

const balanceOf = async (client: ApiClient) =>
  BigInt(String((await client.get('/getInsights/')).body.balance_exact));
const realStatus = (client: ApiClient, id: string) => client.get(`/canister/status/${id}/?real_time=true`);

describe('[API-06] POST /canister/create', () => {
  test('[ENT-02] answers the id in both forms; the canister really exists on the network', async () => {
    const before = Date.now();
    const { status, body } = await ada.post('/canister/create', { name: 'First' });
    expect(status).toBe(200);
    expect(body.canister_id).toEqual(body.data);
    const { canister_id: id } = body.data as { canister_id: string };
    const real = await realStatus(ada, id);
    expect(canisterSchema.parse(real.body)).toMatchObject({
      id,
      name: 'First',
      status: 'running',
      cycles: 2 * T,
      cycles_exact: String(2 * T),
      module_hash: null,
      updated_at: null,
    });
    const createdAt = Date.parse(String(real.body.created_at));
    expect(createdAt).toBeGreaterThanOrEqual(before);
    expect(createdAt).toBeLessThanOrEqual(Date.now());
    await ada.post('/canister/topup', { canister_id: id, amount: 0.5 });
    const changed = (await realStatus(ada, id)).body;
    expect(changed.created_at).toBe(real.body.created_at);
    expect(Date.parse(String(changed.updated_at))).toBeGreaterThan(createdAt);
  });

  test('[TX-09] costs what configuration says and is in the history with its id, as a top-up does', async () => {
    const before = await balanceOf(ada);
    const id = await ada.create('Paid');
    expect(await balanceOf(ada)).toBe(before - 2n * BigInt(T));
    expect((await ada.list('/transactions/'))[0]).toMatchObject({
      transaction_name: 'CANISTER_CREATE',
      transaction_type: 'DEBIT',
      amount: 2 * T,
      transaction_meta: JSON.stringify({ canister_id: id }),
    });
    await ada.post('/canister/topup', { canister_id: id, amount: 0.5 });
    expect((await ada.list('/transactions/'))[0]).toMatchObject({
      transaction_name: 'CANISTER_TOPUP',
      transaction_type: 'DEBIT',
      amount: T / 2,
      transaction_meta: JSON.stringify({ canister_id: id }),
    });
  });

  test.each([
    [undefined, 'Untitled canister'],
    ['  ', 'Untitled canister'],
    ['<b>"\'`\u202e🦀', '<b>"\'`\u202e🦀'],
    ['n'.repeat(5000), 'n'.repeat(5000)],
  ])('[VAL-04] the name %j is accepted', async (name, stored) => {
    const { body } = await ada.post('/canister/create', name === undefined ? {} : { name });
    const { canister_id: id } = body.data as { canister_id: string };
    expect((await ada.get(`/canister/status/${id}`)).body.name).toBe(stored);
  });

  test('above the balance it is refused with status 400 and a plain sentence, and nothing is created', async () => {
    const poor = await ApiClient.signIn(server.url, 'poor');
    for (let count = 0; count < 30; count += 10) {
      await Promise.all(Array.from({ length: 10 }, () => poor.create('x')));
    }
    const { status, body } = await poor.post('/canister/create', { name: 'one too many' });
    expect(status).toBe(400);
    expect(body.error).toBe('Your balance is 0 T; this needs 2 T.');
    expect(await poor.list('/canister/list/')).toHaveLength(30);
  });
});

test('[API-07] [API-18] GET /canister/list/ answers the own canisters, newest first; GET /getInsights/ counts them', async () => {
  await ada.create("somebody else's");
  const first = await bob.create('older');
  const second = await bob.create('newer');
  const list = await bob.list('/canister/list/');
  expect(list.map(({ id }) => id)).toEqual([second, first]);
  for (const entry of list) canisterSchema.parse(entry);
  expect((await bob.get('/getInsights/')).body).toMatchObject({ total_canisters: 2, canisters: 2 });
});

test('[API-07] the list shows current cycles without being asked in real time', async () => {
  const id = await bob.create('Gifted');
  await giveCycles(id, 123n);
  const shown = async () =>
    (await bob.list('/canister/list/')).find((entry) => entry.id === id)?.cycles_exact;
  await expect.poll(shown, { timeout: 10_000, interval: 500 }).toBe(String(2 * T + 123));
});

/** Cycles from elsewhere: on a local network anybody may top up any canister. */
async function giveCycles(id: string, amount: bigint): Promise<void> {
  const agent = await HttpAgent.create({ host: server.networkUrl, shouldFetchRootKey: true });
  const argument = IDL.Record({ canister_id: IDL.Principal, amount: IDL.Nat });
  const canisterId = Principal.fromText(id);
  await agent.update('aaaaa-aa', {
    methodName: 'provisional_top_up_canister',
    arg: IDL.encode([argument], [{ canister_id: canisterId, amount }]),
    effectiveCanisterId: canisterId,
  });
}

describe('[API-09] POST /canister/start and /canister/stop', () => {
  test('change the status on the network, and doing it twice is no error', async () => {
    const id = await ada.create('Switch');
    for (const [call, status] of [
      ['stop', 'stopped'],
      ['stop', 'stopped'],
      ['start', 'running'],
      ['start', 'running'],
    ] as const) {
      const answer = await ada.post(`/canister/${call}`, { canister_id: id });
      expect(answer.body).toMatchObject({ id, status });
      expect((await realStatus(ada, id)).body.status).toBe(status);
    }
  });
});

describe('[API-10] POST /canister/topup', () => {
  test.each([
    [1, 1_000_000_000_000n],
    [0.01, 10_000_000_000n],
    [0.05, 50_000_000_000n],
    [1.239, 1_230_000_000_000n],
  ])('[VAL-08] %d T moves exactly %d cycles', async (amount, cycles) => {
    const id = await bob.create('Topped');
    const before = await balanceOf(bob);
    const { status, body } = await bob.post('/canister/topup', { canister_id: id, amount });
    expect(status).toBe(200);
    expect(body.message).toBe('Cycles Added');
    expect(await balanceOf(bob)).toBe(before - cycles);
    expect((await realStatus(bob, id)).body.cycles_exact).toBe(String(2_000_000_000_000n + cycles));
    expect((await bob.list('/transactions/'))[0]).toMatchObject({
      transaction_name: 'CANISTER_TOPUP',
      transaction_type: 'DEBIT',
      amount: Number(cycles),
      transaction_meta: JSON.stringify({ canister_id: id }),
    });
  });

  test('above the balance it is refused with an error field, and no cycle moves', async () => {
    const small = await ApiClient.signIn(server.url, 'small');
    const id = await small.create('Wanting');
    for (let count = 0; count < 5; count++)
      await small.post('/canister/topup', { canister_id: id, amount: 10 });
    const { status, body } = await small.post('/canister/topup', { canister_id: id, amount: 9 });
    expect(status).toBe(400);
    expect(body.error).toBe('Your balance is 8 T; this needs 9 T.');
    expect((await realStatus(small, id)).body.cycles_exact).toBe(String(52 * T));
  });

  test('many at once on many canisters never spend more than there is', async () => {
    const crowd = await ApiClient.signIn(server.url, 'crowd');
    const ids = await Promise.all(Array.from({ length: 5 }, (_, index) => crowd.create(`c${index}`)));
    const answers = await Promise.all(
      ids.flatMap((id) =>
        [10, 10, 10].map((amount) => crowd.post('/canister/topup', { canister_id: id, amount })),
      ),
    );
    const done = answers.filter(({ status }) => status === 200).length;
    for (const { status, body } of answers) {
      if (status !== 200) expect(['canister_busy', 'insufficient_balance']).toContain(body.code);
    }
    expect(done).toBeGreaterThanOrEqual(5);
    expect(await balanceOf(crowd)).toBe(BigInt(60 - 10 - done * 10) * BigInt(T));
    const states = await Promise.all(ids.map((id) => realStatus(crowd, id)));
    const onNetwork = states.reduce((sum, { body }) => sum + BigInt(String(body.cycles_exact)), 0n);
    expect(onNetwork).toBe(BigInt(10 + done * 10) * BigInt(T));
  });
});

describe('[API-11] POST /canister/delete', () => {
  test('[AUTH-17] is refused with 400 and a message unless the canister is stopped', async () => {
    const id = await ada.create('Doomed');
    const refused = await ada.post('/canister/delete', { canister_id: id });
    expect(refused.status).toBe(400);
    expect(refused.body.message).toBe('Canister must be stopped first.');
    expect((await realStatus(ada, id)).body.status).toBe('running');
    await ada.post('/canister/stop', { canister_id: id });
    expect((await ada.post('/canister/delete', { canister_id: id })).status).toBe(200);
    expect((await ada.get(`/canister/status/${id}`)).status).toBe(404);
    expect((await ada.list('/canister/list/')).map((entry) => entry.id)).not.toContain(id);
  });
});

test('the cycles of a deleted canister come back to the account, to the cycle', async () => {
  const id = await bob.create('Refunded');
  await bob.post('/canister/topup', { canister_id: id, amount: 0.01 });
  await giveCycles(id, 7n);
  await bob.post('/canister/stop', { canister_id: id });
  const before = await balanceOf(bob);
  const { status, body } = await bob.post('/canister/delete', { canister_id: id });
  expect([status, body]).toEqual([
    200,
    { message: 'Canister deleted.', deleted: true, refunded: '2010000000007' },
  ]);
  expect(await balanceOf(bob)).toBe(before + 2_010_000_000_007n);
  expect((await bob.list('/transactions/'))[0]).toMatchObject({
    transaction_name: 'CYCLE_DEPOSIT',
    transaction_type: 'CREDIT',
    amount: 2_010_000_000_007,
    transaction_meta: JSON.stringify({ canister_id: id }),
  });
});

describe('[API-12] POST /canister/install', () => {
  test('in mode install by default; the module hash is that of the uploaded bytes', async () => {
    const id = await ada.create('Installed');
    const { status, body } = await ada.post('/canister/install', {
      canister_id: id,
      identifier: await ada.uploadWasm(EMPTY_MODULE),
    });
    expect(status).toBe(200);
    expect(body.data).toMatchObject({ id, module_hash: EMPTY_HASH });
    expect((await realStatus(ada, id)).body.module_hash).toBe(EMPTY_HASH);
  });

  test('upgrade and reinstall replace the module; install does not, and says so in the words of the network', async () => {
    const id = await ada.create('Replaced');
    const [one, other] = [await ada.uploadWasm(EMPTY_MODULE), await ada.uploadWasm(OTHER_MODULE)];
    const install = (identifier: string, mode: string) =>
      ada.post('/canister/install', { canister_id: id, identifier, mode });
    expect((await install(one, 'install')).status).toBe(200);
    expect((await install(other, 'upgrade')).body.data).toMatchObject({ module_hash: other });
    expect((await install(one, 'reinstall')).body.data).toMatchObject({ module_hash: one });
    const { status, body } = await install(other, 'install');
    expect([status, body.code]).toEqual([400, 'install_failed']);
    expect(body.error).toContain('not empty');
    expect((await realStatus(ada, id)).body.module_hash).toBe(one);
  });

  test('[API-38] sent again under its key it installs once, and gets the answer; another request is refused', async () => {
    const id = await ada.create('Repeated');
    const [first, second] = [await ada.uploadWasm(EMPTY_MODULE), await ada.uploadWasm(OTHER_MODULE)];
    const install = (identifier: string, mode: string, key: string) =>
      ada.post('/canister/install', { canister_id: id, identifier, mode }, { 'idempotency-key': key });
    const answers = await Promise.all([1, 2, 3].map(() => install(first, 'install', `${id} first`)));
    for (const { status, body } of answers)
      expect([200, 'canister_busy']).toContain(status === 200 ? 200 : body.code);
    expect((await install(first, 'install', `${id} first`)).status).toBe(200);
    expect((await install(second, 'reinstall', `${id} second`)).status).toBe(200);
    // The answer of the first one, not the first one again.
    const again = await install(first, 'install', `${id} first`);
    expect(again).toMatchObject({ status: 200, body: { data: { module_hash: second } } });
    expect(await install(second, 'install', `${id} first`)).toMatchObject({
      status: 400,
      body: { error: 'This Idempotency-Key belongs to another request.' },
    });
    // A refused one has left nothing.
    expect((await install(first, 'install', `${id} third`)).body.code).toBe('install_failed');
    expect((await install(first, 'reinstall', `${id} third`)).status).toBe(200);
  });

  test('a module that is too large for one message is installed in chunks', async () => {
    const id = await ada.create('Large');
    const padding = Buffer.alloc(3_000_000, 1);
    const size = padding.length + 2;
    const leb = [(size & 0x7f) | 0x80, ((size >> 7) & 0x7f) | 0x80, ((size >> 14) & 0x7f) | 0x80, size >> 21];
    const large = Buffer.concat([EMPTY_MODULE, Buffer.from([0, ...leb, 1, 120]), padding]);
    const identifier = await ada.uploadWasm(large);
    const { status, body } = await ada.post('/canister/install', { canister_id: id, identifier });
    expect(body.error).toBeUndefined();
    expect(status).toBe(200);
    expect(body.data).toMatchObject({ module_hash: identifier });
  });

  test('a module that traps when it starts is refused by the network with its reason, and the canister stays empty', async () => {
    const id = await ada.create('Broken');
    const identifier = await ada.uploadWasm(moduleOf({ exports: ['canister_init'], traps: true }));
    const { status, body } = await ada.post('/canister/install', { canister_id: id, identifier });
    expect(status).toBe(400);
    expect(body).toMatchObject({ code: 'install_failed', detail: expect.stringMatching(/IC0\d+/) });
    expect((await realStatus(ada, id)).body.module_hash).toBeNull();
  });

  test("somebody else's upload is not found", async () => {
    const id = await bob.create('Borrower');
    const module = Buffer.concat([EMPTY_MODULE, Buffer.from([0, 3, 2, 97, 100])]);
    const identifier = await ada.uploadWasm(module);
    const { status } = await bob.post('/canister/install', { canister_id: id, identifier });
    expect(status).toBe(404);
  });

  test('arguments as Candid text are checked against the module', async () => {
    const id = await ada.create('Argued');
    const identifier = await ada.uploadWasm(EMPTY_MODULE);
    const install = (argument: string) =>
      ada.post('/canister/install', { canister_id: id, identifier, argument });
    expect((await install('(5)')).body).toMatchObject({ code: 'invalid_input' });
    expect((await install('()')).status).toBe(200);
  });
});

test('hex arguments for a module that names no types are taken as they are, and choices that contradict each other are refused', async () => {
  const id = await ada.create('Chosen');
  const identifier = await ada.uploadWasm(EMPTY_MODULE);
  const install = (more: object) => ada.post('/canister/install', { canister_id: id, identifier, ...more });
  for (const [more, reason] of [
    [{ argument: '()', argument_hex: '4449444c0000' }, 'not both'],
    [{ argument_hex: '4449444' }, ''],
    [{ mode: 'install', wasm_memory_persistence: 'keep' }, 'choices of an upgrade'],
    [{ mode: 'reinstall', skip_pre_upgrade: true }, 'choices of an upgrade'],
  ] as const) {
    const { status, body } = await install(more);
    expect([status, body.code], JSON.stringify(more)).toEqual([400, 'invalid_input']);
    expect(body.error).toContain(reason);
  }
  expect((await install({ argument_hex: '4449444c0001717e' })).status).toBe(200);
  const keep = await install({ mode: 'upgrade', wasm_memory_persistence: 'keep' });
  expect([keep.body.code, keep.body.error]).toEqual([
    'invalid_input',
    expect.stringContaining('Main memory cannot be kept'),
  ]);
  expect((await install({ mode: 'upgrade', wasm_memory_persistence: 'replace' })).status).toBe(200);
  expect((await install({ mode: 'upgrade', skip_pre_upgrade: true })).status).toBe(200);
});

test('[API-17] [ENT-05] GET /statuslogs/{id} answers one entry for each action, newest first', async () => {
  const id = await ada.create('Logged');
  await ada.post('/canister/install', { canister_id: id, identifier: await ada.uploadWasm(EMPTY_MODULE) });
  await ada.post('/canister/topup', { canister_id: id, amount: 1 });
  const stopping = Date.now();
  await ada.post('/canister/stop', { canister_id: id });
  const logs = (await ada.list(`/statuslogs/${id}`)).map((entry) => canisterLog.parse(entry));
  const [newest = 0, , , oldest = Infinity] = logs.map(({ updated_at: at }) => Date.parse(at));
  expect(oldest, 'each entry is of its own moment').toBeLessThan(stopping);
  expect(Math.abs(newest - stopping)).toBeLessThan(5_000);
  expect(logs).toMatchObject([
    { status: 'stopped', cycles: 3 * T, module_hash: EMPTY_HASH },
    { status: 'running', cycles: 3 * T, module_hash: EMPTY_HASH },
    { status: 'running', cycles: 2 * T, module_hash: EMPTY_HASH },
    { status: 'running', cycles: 2 * T, module_hash: null },
  ]);
});

test('[API-08] GET /canister/status/{id} answers the last known state, and with real_time=true the present one', async () => {
  const id = await ada.create('Seen');
  expect((await ada.get(`/canister/status/${id}`)).body).toMatchObject({ id, status: 'running' });
  expect((await realStatus(ada, id)).body).toMatchObject({ id, status: 'running', cycles: 2 * T });
});

test('one action at a time runs on a canister', async () => {
  const id = await ada.create('Busy');
  const answers = await Promise.all(
    ['stop', 'start', 'stop', 'start'].map((call) => ada.post(`/canister/${call}`, { canister_id: id })),
  );
  const refused = answers.filter(({ status }) => status !== 200);
  expect(refused.length).toBeGreaterThanOrEqual(1);
  for (const { body } of refused) expect(body.code).toBe('canister_busy');
  expect((await ada.post('/canister/stop', { canister_id: id })).status).toBe(200);
});

test("[AUTH-16] another user's canister is answered exactly like an unknown one", async () => {
  const id = await ada.create('Private');
  const calls = (client: ApiClient, canister: string) => [
    client.get(`/canister/status/${canister}`),
    client.get(`/canister/status/${canister}?real_time=true`),
    client.get(`/statuslogs/${canister}`),
    client.post('/canister/start', { canister_id: canister }),
    client.post('/canister/stop', { canister_id: canister }),
    client.post('/canister/delete', { canister_id: canister }),
    client.post('/canister/topup', { canister_id: canister, amount: 1 }),
  ];
  const foreign = await Promise.all(calls(bob, id));
  const unknown = await Promise.all(calls(bob, 'ryjl3-tyaaa-aaaaa-aaaba-cai'));
  expect(foreign.map(({ status, body }) => ({ status, body }))).toEqual(
    unknown.map(({ status, body }) => ({ status, body })),
  );
  for (const { status } of foreign) expect(status).toBe(404);
  expect((await bob.list('/canister/list/')).map((entry) => entry.id)).not.toContain(id);
  expect(JSON.stringify(await bob.list('/transactions/'))).not.toContain(id);
  expect((await realStatus(ada, id)).body).toMatchObject({ status: 'running', cycles: 2 * T });
});
