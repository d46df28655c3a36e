import { randomUUID } from 'node:crypto';
import { dapp as dappSchema } from '@cannery/contract';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { RunningServer } from '../../src/start-server.ts';
import { type Answer, ApiClient } from '../support/client.ts';
import { newModule } from '../authorisation/matrix-world.ts';
import { pngOf } from '../support/pictures.ts';
import { startTestServer } from '../support/server.ts';

let server: RunningServer;
let ada: ApiClient;
let eve: ApiClient;
beforeAll(async () => {
  server = await startTestServer();
  ada = await ApiClient.signIn(server.url, 'ada');
  eve = await ApiClient.signIn(server.url, 'eve');
});
afterAll(() => server.close());

type Fields = Record<string, unknown>;

async function fieldsOf(client: ApiClient, more: Fields = {}): Promise<Fields> {
  return {
    name: 'Peach counter',
    git_url: 'https://example.org/ada/peaches',
    description: 'Counts peaches, one can after the other.',
    version: '1.0.0',
    wasm: await client.uploadWasm(newModule()),
    ...more,
  };
}

async function submit(client: ApiClient, more: Fields = {}): Promise<{ id: string; fields: Fields }> {
  const fields = await fieldsOf(client, more);
  const { status, body } = await client.post('/marketplace/submit', fields);
  expect(status, body.error).toBe(200);
  return { id: String(body.data), fields };
}

const update = (client: ApiClient, id: string, body: Fields, headers = {}): Promise<Answer> =>
  client.post(`/marketplace/update/${id}`, body, headers);
const withdraw = (client: ApiClient, id: string): Promise<Answer> =>
  client.post(`/marketplace/delete/${id}`, undefined);
const one = async (client: ApiClient, id: string): Promise<Fields> =>
  (await client.get(`/marketplace/${id}`)).body;

test('[API-23] [API-24] [API-25] [ENT-12] [MKT-11] a dapp that one user submits is listed and shown to all', async () => {
  const icon = await ada.uploadIcon(pngOf('peach'));
  const { id, fields } = await submit(ada, { icon });
  const [first] = await eve.list('/marketplace/');
  expect(dappSchema.strict().parse(first)).toEqual({
    ...fields,
    picture: null,
    picture_of: null,
    id,
    app_name: fields.name,
    created_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT/),
    user: { username: 'ada' },
    kind: null,
    installs: 0,
    rating: 0,
    ratings: 0,
  });
  expect(await one(eve, id)).toEqual(first);
  for (const page of ['limit=1', 'limit=1&sort=newest', `limit=1&search=${fields.name}`]) {
    expect(await eve.list(`/marketplace/?${page}`), page).toEqual([first]);
  }
  const picture = await eve.get(`/document/get/${icon}`);
  expect(picture.body.data).toMatch(/^data:image\/png;base64,/);
  expect((await eve.get('/marketplace/no-such-dapp')).status).toBe(404);
});

test('[MKT-11] [MKT-18] [OP-59] anybody signed in installs the module of a dapp, and nothing else of somebody else', async () => {
  const { id, fields } = await submit(ada);
  const secret = await ada.uploadWasm(newModule());
  const canister = await eve.create('Instance');
  const named = { 'code-origin': `dapp ${id}` };
  const install = (identifier: unknown, headers = {}) =>
    eve.post('/canister/install', { canister_id: canister, identifier, mode: 'install' }, headers);
  const refused = await install(secret);
  expect([refused.status, refused.body]).toEqual([404, (await install('0'.repeat(64))).body]);
  const installed = await install(fields.wasm, named);
  expect(installed.status, installed.body.error).toBe(200);
  expect((await eve.get(`/canister/status/${canister}`)).body.module_hash).toBe(fields.wasm);
  expect((await one(ada, id)).installs).toBe(1);
  const flo = await ApiClient.signIn(server.url, 'flo');
  const next = { canister_id: await flo.create('Instance'), identifier: fields.wasm, mode: 'install' };
  const { status, body } = await flo.post('/canister/install', next);
  expect(status, body.error).toBe(200);
});

test('[API-26] [MKT-09] the uploader changes what is given and nothing else; nobody else changes anything', async () => {
  const icon = await ada.uploadIcon(pngOf('plum'));
  const { id, fields } = await submit(ada, { icon, name: '  Peach counter\t', notes: 'The first one' });
  const before = await one(ada, id);
  expect(before.name).toBe('Peach counter');
  const foreign = await update(eve, id, { name: 'Mine now' });
  expect([foreign.status, foreign.body]).toEqual([404, (await update(eve, randomUUID(), {})).body]);
  expect(await one(ada, id)).toEqual(before);

  const renamed = await update(ada, id, { name: 'Plum counter' });
  expect([renamed.status, renamed.body.data]).toEqual([
    200,
    { ...before, name: 'Plum counter', app_name: 'Plum counter' },
  ]);
  expect((await update(ada, id, { icon: null })).body.data).toMatchObject({ icon });
  expect((await update(ada, id, { icon: '' })).body.data).toMatchObject({ icon: null });
  const wasm = await ada.uploadWasm(newModule());
  await update(ada, id, { wasm, version: '1.1.0', notes: 'Counts plums too' });
  expect(await one(eve, id)).toMatchObject({ wasm, version: '1.1.0', description: fields.description });
  const versions = await eve.list(`/marketplace/versions/${id}`);
  expect(versions.map(({ version, identifier, notes }) => [version, identifier, notes])).toEqual([
    ['1.1.0', wasm, 'Counts plums too'],
    ['1.0.0', fields.wasm, 'The first one'],
  ]);
});

test('an update without another module renames the newest version', async () => {
  const { id, fields } = await submit(ada);
  await update(ada, id, { wasm: fields.wasm, version: '1.0.1' });
  const versions = await ada.list(`/marketplace/versions/${id}`);
  expect(versions.map(({ version }) => version)).toEqual(['1.0.1']);
});

test('[MKT-10] a deleted dapp is in no list, and cannot be shown, changed or installed; only its uploader deletes it', async () => {
  const { id, fields } = await submit(ada);
  expect((await withdraw(eve, id)).status).toBe(404);
  const deleted = await withdraw(ada, id);
  expect(deleted.status, deleted.body.error).toBe(200);
  expect((await ada.list('/marketplace/')).map((row) => row.id)).not.toContain(id);
  expect((await ada.get(`/marketplace/${id}`)).status).toBe(404);
  expect((await update(ada, id, { name: 'Back' })).status).toBe(404);
  const again = await withdraw(ada, id);
  expect([again.status, again.body.message]).toEqual([404, 'Dapp not found.']);
  const canister = await eve.create('Too late');
  const late = await eve.post('/canister/install', { canister_id: canister, identifier: fields.wasm });
  expect(late.status).toBe(404);
});

test.each([
  [{ name: '  ' }, 'Required'],
  [{ description: ' ' }, 'Write something about this App.'],
  [{ git_url: 'javascript:alert(1)' }, 'Invalid URL!'],
  [{ git_url: 'https://ada:secret@example.org/a' }, 'Invalid URL!'],
  [{ version: '' }, 'Required'],
  [{ version: '1..0' }, 'Numbers with a dot between them, such as 1.0.0.'],
  [{ version: '1.0-beta' }, 'Numbers with a dot between them, such as 1.0.0.'],
])('[VAL-14] [VAL-15] [VAL-16] [VAL-19] [VAL-20] the service refuses %j', async (wrong, message) => {
  const { status, body } = await ada.post('/marketplace/submit', await fieldsOf(ada, wrong));
  expect([status, body.error]).toEqual([400, message]);
});

test('[VAL-17] a dapp is made of documents of its uploader only', async () => {
  const [foreign, icon] = [await eve.uploadWasm(newModule()), await eve.uploadIcon(pngOf('eve'))];
  for (const wrong of [{ wasm: foreign }, { wasm: '0'.repeat(64) }, { icon }]) {
    const { status, body } = await ada.post('/marketplace/submit', await fieldsOf(ada, wrong));
    expect([status, body.code]).toEqual([404, 'not_found']);
  }
});

test('[OP-61] a submission or an update that is sent again under its key is carried out once', async () => {
  const fields = await fieldsOf(ada, { name: 'Only once' });
  const headers = { 'idempotency-key': randomUUID() };
  const send = () => ada.post('/marketplace/submit', fields, headers);
  const [first, second] = await Promise.all([send(), send()]);
  expect(second.body).toEqual(first.body);
  expect((await send()).body).toEqual(first.body);
  const named = (await ada.list('/marketplace/')).filter(({ name }) => name === 'Only once');
  expect(named.map(({ id }) => id)).toEqual([first.body.data]);

  const id = String(first.body.data);
  const other = { 'idempotency-key': randomUUID() };
  const change = { wasm: await ada.uploadWasm(newModule()), version: '2.0' };
  await update(ada, id, change, other);
  await update(ada, id, { version: '2.1' });
  await update(ada, id, change, other);
  expect((await one(ada, id)).version).toBe('2.1');
  const misused = await ada.post('/marketplace/submit', { ...fields, name: 'Another' }, headers);
  expect([misused.status, misused.body.code]).toEqual([400, 'invalid_input']);
});

test('dapps are searched by beginnings of words, sorted, narrowed and paged', async () => {
  const mark = `m${randomUUID().slice(0, 6)}`;
  await submit(ada, { name: `Zebra ${mark}`, kind: 'tool', description: "It's a {tool} & more" });
  await submit(ada, { name: `apple ${mark}`, kind: 'token' });
  const { id } = await submit(eve, { name: `Mango ${mark}`, kind: 'tool' });
  await update(eve, id, { description: 'Renamed into a quince' });
  const find = async (query: string): Promise<unknown[]> =>
    (await ada.list(`/marketplace/?search=${mark}${query}`)).map(({ name }) => String(name).split(' ')[0]);
  expect(await find('')).toEqual(['Mango', 'apple', 'Zebra']);
  expect(await find('&sort=name')).toEqual(['apple', 'Mango', 'Zebra']);
  expect(await find('&kind=tool')).toEqual(['Mango', 'Zebra']);
  expect(await find('&uploader=eve')).toEqual(['Mango']);
  expect(await find('&limit=1&offset=1')).toEqual(['apple']);
  expect(await find('+QUIN')).toEqual(['Mango']);
  expect(await find('+peaches')).toEqual(['apple']);
  expect(await find("+it's%20'%20%26%20:*%20\\")).toEqual(['Zebra']);
  const canister = await eve.create('Most installed');
  const [zebra] = await ada.list(`/marketplace/?search=zebra+${mark}`);
  await eve.post(
    '/canister/install',
    { canister_id: canister, identifier: zebra?.wasm },
    { 'code-origin': `dapp ${String(zebra?.id)}` },
  );
  expect(await find('&sort=installs')).toEqual(['Zebra', 'Mango', 'apple']);
});
