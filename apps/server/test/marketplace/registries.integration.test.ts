import { randomBytes } from 'node:crypto';
import { registry } from '@cannery/contract';
import { compileMotoko } from '../../../../packages/network/test/compile-motoko.ts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { RunningServer } from '../../src/start-server.ts';
import { ApiClient } from '../support/client.ts';
import { newModule } from '../authorisation/matrix-world.ts';
import { startTestServer } from '../support/server.ts';

/** A module whose `canister_init` is `unreachable`. */
const trapping = Buffer.concat([
  Buffer.from([0, 0x61, 0x73, 0x6d, 1, 0, 0, 0, 1, 4, 1, 0x60, 0, 0, 3, 2, 1, 0, 7, 17, 1, 13]),
  Buffer.from('canister_init'),
  Buffer.from([0, 0, 10, 5, 1, 3, 0, 0, 11]),
]);

let server: RunningServer;
let ada: ApiClient;
beforeAll(async () => {
  server = await startTestServer();
  ada = await ApiClient.signIn(server.url, 'ada');
});
afterAll(() => server.close());

const named = async (name: string): Promise<Record<string, unknown>[]> =>
  (await ada.list('/registry/')).filter((row) => row.name === name);

async function add(name: string, identifier: string, key?: string): Promise<string> {
  const headers = key === undefined ? undefined : { 'idempotency-key': key };
  const { status, body } = await ada.post('/registry/add', { name, identifier }, headers);
  expect(status, body.error).toBe(200);
  return String(body.data);
}

test('[API-13] [API-14] [ENT-08] a registry is added and listed, newest first', async () => {
  const identifier = await ada.uploadWasm(newModule());
  await add('Older', identifier);
  const { body } = await ada.post('/registry/add', { name: '  Newer ', identifier });
  expect(body).toEqual({ data: expect.any(String), id: body.data });
  const [newest, older] = await ada.list('/registry/');
  expect(registry.strict().parse(newest)).toMatchObject({
    id: body.data,
    name: 'Newer',
    wasm_identifier: identifier,
    version: 1,
    created_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT/),
  });
  expect(older).toMatchObject({ name: 'Older' });
});

test('[API-15] an update renames, and another module is the next version', async () => {
  const [first, second] = [await ada.uploadWasm(newModule()), await ada.uploadWasm(newModule())];
  const id = await add('Flour', first);
  const update = (body: object) => ada.post(`/registry/update/${id}`, body);
  expect((await update({ name: ' Rye flour ', identifier: first })).status).toBe(200);
  expect(await named('Rye flour')).toMatchObject([{ id, wasm_identifier: first, version: 1 }]);
  const { status, body } = await update({ name: 'Wheat flour', identifier: second });
  expect(status).toBe(200);
  expect(body.data).toMatchObject({ id, name: 'Wheat flour', wasm_identifier: second, version: 2 });
  await update({ name: 'Oat flour' });
  expect(await named('Oat flour')).toMatchObject([{ id, wasm_identifier: second, version: 2 }]);
});

test('[API-16] a deletion takes the registry off the list, once', async () => {
  const id = await add('Short-lived', await ada.uploadWasm(newModule()));
  const remove = () => ada.post(`/registry/delete/${id}`, undefined);
  expect(await remove()).toMatchObject({ status: 200, body: { message: 'Registry deleted.' } });
  expect(await named('Short-lived')).toEqual([]);
  expect(await remove()).toMatchObject({ status: 404, body: { error: 'Registry not found.' } });
});

test('[VAL-11] a blank name is refused, and so is a module that the user has not uploaded', async () => {
  const identifier = await ada.uploadWasm(newModule());
  const refused = await ada.post('/registry/add', { name: ' \t ', identifier });
  expect(refused).toMatchObject({ status: 400, body: { error: 'Name is required.' } });
  expect(await ada.post('/registry/add', { name: 'x'.repeat(201), identifier })).toMatchObject({
    status: 400,
  });
  const foreign = randomBytes(32).toString('hex');
  expect(await ada.post('/registry/add', { name: 'Foreign', identifier: foreign })).toMatchObject({
    status: 404,
  });
  expect(await named('Foreign')).toEqual([]);
});

describe('versions', () => {
  const bread = `persistent actor { var count : Nat = 0; public query func get() : async Nat { count }; public func inc() : async () { count += 1 } }`;
  const stale = `persistent actor { var count : Text = ""; public query func get() : async Text { count }; public func bake(_ : Nat) : async () { count #= "x" } }`;

  test('are listed with their sizes and the canisters that run them; foreign ones never are', async () => {
    const [first, second] = [newModule(), newModule()];
    const identifiers = [await ada.uploadWasm(first), await ada.uploadWasm(second)];
    const id = await add('Sourdough', String(identifiers[0]));
    await ada.post(`/registry/update/${id}`, { name: 'Sourdough', identifier: identifiers[1] });
    const canister = await ada.create('Runs the first');
    const install = { canister_id: canister, identifier: identifiers[0] };
    await ada.post('/canister/install', install, { 'code-origin': `registry ${id} 1` });
    // The same bytes from a file are no version of the registry.
    const uploaded = await ada.create('Has the bytes of a file');
    await ada.post('/canister/install', { canister_id: uploaded, identifier: identifiers[0] });
    const eve = await ApiClient.signIn(server.url, 'eve');
    await eve.uploadWasm(first);
    const hers = await eve.create('Runs it too');
    const foreign = { canister_id: hers, identifier: identifiers[0] };
    const named = { 'code-origin': `registry ${id} 1` };
    expect(await eve.post('/canister/install', foreign, named)).toMatchObject({ status: 404 });
    await eve.post('/canister/install', foreign);
    const { body } = await ada.get(`/registry/${id}`);
    expect(body).toMatchObject({
      id,
      version: 2,
      versions: [
        { version: 2, identifier: identifiers[1], size: second.length, canisters: [] },
        {
          version: 1,
          identifier: identifiers[0],
          size: first.length,
          canisters: [{ id: canister, name: 'Runs the first' }],
        },
      ],
    });
    expect(await eve.get(`/registry/${id}`)).toMatchObject({ status: 404 });
    expect(await ada.get(`/registry/${id}/versions/3`)).toMatchObject({ status: 404 });
    expect(await ada.get(`/registry/${id}/versions/none`)).toMatchObject({ status: 404 });
  });

  test('are compared: what changes for callers and for the data', async () => {
    const id = await add('Bread', await ada.uploadWasm(compileMotoko(bread)));
    const identifier = await ada.uploadWasm(compileMotoko(stale));
    await ada.post(`/registry/update/${id}`, { name: 'Bread', identifier });
    const module = (await ada.get(`/registry/${id}/versions/1`)).body;
    expect(module).toMatchObject({
      exports: expect.arrayContaining(['canister_query get', 'canister_update inc']),
      candid: expect.stringContaining('inc: () -> ()'),
      stable_types: expect.stringContaining('count : Nat'),
    });
    const { body } = await ada.get(`/registry/${id}/compare?from=1&to=2`);
    expect(body).toMatchObject({
      candid: { verdict: 'breaking', reasons: expect.arrayContaining(['The method `inc` is gone.']) },
      stable_memory: { verdict: 'breaking' },
      methods: expect.arrayContaining([
        { method: 'inc', before: '() -> ()', after: null },
        { method: 'bake', before: null, after: '(nat) -> ()' },
        { method: 'get', before: '() -> (nat) query', after: '() -> (text) query' },
      ]),
    });
    const same = (await ada.get(`/registry/${id}/compare?from=2&to=2`)).body;
    expect(same).toMatchObject({ candid: { verdict: 'compatible' }, methods: [] });
  });
});

describe('a request that is sent again under its key', () => {
  test('adds once, also when both come at once, and gets the first answer', async () => {
    const identifier = await ada.uploadWasm(newModule());
    const ids = await Promise.all([1, 2, 3].map(() => add('Once', identifier, 'once')));
    expect(new Set(ids).size).toBe(1);
    expect(await named('Once')).toHaveLength(1);
    const other = await ada.post(
      '/registry/add',
      { name: 'Other', identifier },
      { 'idempotency-key': 'once' },
    );
    expect(other).toMatchObject({
      status: 400,
      body: { error: 'This Idempotency-Key belongs to another request.' },
    });
  });

  test('does not take back what came in between', async () => {
    const [first, second, third] = await Promise.all([1, 2, 3].map(() => ada.uploadWasm(newModule())));
    const id = await add('Order', String(first));
    const update = (identifier: unknown, key: string) =>
      ada.post(`/registry/update/${id}`, { name: 'Order', identifier }, { 'idempotency-key': key });
    await update(second, 'to the second');
    await update(third, 'to the third');
    expect((await update(second, 'to the second')).status).toBe(200);
    expect(await named('Order')).toMatchObject([{ wasm_identifier: third, version: 3 }]);
  });

  test('a refused one leaves its key free', async () => {
    const headers = { 'idempotency-key': 'refused first' };
    const identifier = await ada.uploadWasm(newModule());
    const refused = await ada.post('/registry/add', { name: 'Late', identifier: 'no such file' }, headers);
    expect(refused.status).toBe(404);
    expect((await ada.post('/registry/add', { name: 'Late', identifier }, headers)).status).toBe(200);
  });
});

describe('[CAN-23] [OP-22] a canister is created with a registry', () => {
  const create = async (registryId: string, key?: string) =>
    ada.post(
      '/canister/create',
      { name: 'Filled', registry: registryId },
      key === undefined ? undefined : { 'idempotency-key': key },
    );
  const balance = async (): Promise<unknown> => (await ada.get('/getInsights/')).body.balance;

  test('whose newest module is installed in it, once', async () => {
    const id = await add('Filling', await ada.uploadWasm(newModule()));
    const identifier = await ada.uploadWasm(newModule());
    await ada.post(`/registry/update/${id}`, { name: 'Filling', identifier });
    const { status, body } = await create(id, 'fill');
    expect(status, body.error).toBe(200);
    const { canister_id: canister } = body.canister_id as { canister_id: string };
    expect((await ada.get(`/canister/status/${canister}?real_time=true`)).body.module_hash).toBe(identifier);
    expect((await create(id, 'fill')).body).toEqual(body);
    const filled = (await ada.list('/canister/list/')).filter(({ name }) => name === 'Filled');
    expect(filled).toHaveLength(1);
  });

  test('once, also when the same request comes several times at once', async () => {
    // It takes a while to install.
    const slow = compileMotoko(
      'persistent actor { transient let steps = do { var n = 0; while (n < 20_000_000) n += 1; n }; public query func get() : async Nat { steps } }',
    );
    const id = await add('Hurried', await ada.uploadWasm(slow));
    const answers = await Promise.all([1, 2, 3].map(() => create(id, 'hurried')));
    expect(answers.map(({ status, body }) => [status, body.error])).toEqual(Array(3).fill([200, undefined]));
    expect(new Set(answers.map(({ body }) => JSON.stringify(body))).size).toBe(1);
  });

  test('and nothing is paid for one that is not there', async () => {
    const before = await balance();
    expect(await create('none')).toMatchObject({ status: 404, body: { error: 'Registry not found.' } });
    expect(await balance()).toBe(before);
  });

  test('where the network refuses the module, the answer names the canister, which is empty', async () => {
    const upload = await ada.upload('/document/upload', 'wasm', trapping);
    const id = await add('Refused', String(upload.body.identifier));
    const { status, body } = await create(id);
    expect(status).toBe(400);
    const canister = /^The canister (\S+) is created and empty: the module was not installed\. ./.exec(
      String(body.error),
    )?.[1];
    expect((await ada.get(`/canister/status/${canister}`)).body).toMatchObject({ module_hash: null });
  });
});
