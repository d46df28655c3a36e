import { randomUUID } from 'node:crypto';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { DeployInstanceAnswer, RegistryAnswer } from '@cannery/contract';
import { type Api, createApi, signIn } from '@cannery/dev-env';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openDatabase } from '../../src/db/database.ts';
import { embeddedConnection } from '../../src/db/postgres/embedded-postgres.ts';
import { type DeployClient, startDeployClient } from '../support/deploy-client.ts';

/** Two canisters of code, between them a website in the order of the pack. */
const project = {
  'dfx.json': JSON.stringify({
    canisters: {
      till: { main: 'till.mo' },
      stock: { main: 'stock.mo' },
      pages: { type: 'assets', source: ['public'] },
    },
  }),
  'till.mo': 'persistent actor { public query func money() : async Nat { 5 } }',
  'stock.mo': 'persistent actor { public query func bread() : async Nat { 12 } }',
  'public/index.html': '<p>pages</p>',
};

let client: DeployClient;
let deploy: string;
let run: DeployInstanceAnswer;
beforeAll(async () => {
  client = await startDeployClient({ env: { UPLOAD_MB: '2' } });
  await client.push('shop', project);
  deploy = await client.create('shop', 'CUSTOM');
  run = await client.run(deploy);
  expect(run.status, run.logs ?? '').toBe('COMPLETED');
}, 120_000);
afterAll(() => client?.dispose());

function add(
  { api = client.ada, id = deploy, of = run.id, key }: { api?: Api; id?: string; of?: string; key?: string },
  body: { canister: string; name: string },
) {
  const headers: Record<string, string> = key === undefined ? {} : { 'idempotency-key': key };
  return api.request('POST', `/deploy/${id}/instances/${of}/registry`, body, headers);
}

const registries = (api = client.ada): Promise<RegistryAnswer[]> => api.call('GET', '/registry/');

const hashOf = (canister: string): string =>
  run.artifacts?.find(({ name }) => name === canister)?.hash ?? 'none';

async function documentsOf(name: string): Promise<string[]> {
  const db = openDatabase(embeddedConnection(client.product.dataDir), 1);
  const rows = await db
    .selectFrom('documents')
    .innerJoin('users', 'users.id', 'documents.user_id')
    .select('identifier')
    .where('users.username', '=', name)
    .execute();
  await db.destroy();
  return rows.map(({ identifier }) => identifier).toSorted();
}

test('the module of a run becomes a registry entry that can be installed; the canister stays that of its run', async () => {
  for (const canister of ['till', 'stock']) {
    const { status, body } = await add({}, { canister, name: ` ${canister} 1 ` });
    expect({ status, body }).toEqual({
      status: 200,
      body: { data: expect.any(String), id: (body as { id: string }).id },
    });
    const [newest] = await registries();
    expect(newest).toMatchObject({ name: `${canister} 1`, version: 1, wasm_identifier: hashOf(canister) });
    const entry = await client.ada.call<{ versions: { canisters: { name: string }[] }[] }>(
      'GET',
      `/registry/${newest?.id}`,
    );
    // The same bytes, but the run has put them in, not this entry (decision 0087).
    expect(entry.versions[0]?.canisters).toEqual([]);
    const module = await client.ada.call<{ candid: string }>('GET', `/registry/${newest?.id}/versions/1`);
    expect(module.candid).toContain(canister === 'till' ? 'money' : 'bread');
    const created = await client.ada.request('POST', '/canister/create', {
      name: `Another ${canister}`,
      registry: newest?.id,
    });
    expect(created.status).toBe(200);
  }
  expect(await documentsOf('ada')).toEqual([hashOf('till'), hashOf('stock')].toSorted());
}, 60_000);

test('once for one key, also when it is sent twice at once or after the run has gone', async () => {
  const id = await client.create('shop', 'CUSTOM', { name: 'Second' });
  const second = await client.run(id);
  const before = (await registries()).length;
  const key = randomUUID();
  const body = { canister: 'till', name: 'Once' };
  const request = { id, of: second.id, key };
  const [one, other] = await Promise.all([add(request, body), add(request, body)]);
  expect(one.status).toBe(200);
  expect(other).toEqual(one);
  expect(await add({ ...request, key: randomUUID() }, { ...body, name: 'Twice' })).not.toEqual(one);
  expect(await add(request, { ...body, name: 'Other' })).toMatchObject({
    status: 400,
    body: { error: 'This Idempotency-Key belongs to another request.' },
  });
  expect((await client.ada.request('DELETE', `/deploy/${id}?canisters=delete`)).status).toBe(200);
  expect(await add(request, body)).toEqual(one);
  expect((await add({ id, of: second.id }, body)).status).toBe(404);
  expect(await registries()).toHaveLength(before + 2);
}, 120_000);

test('a website, a canister of another name, a blank name and a failed run are refused', async () => {
  const before = await registries();
  expect(await add({}, { canister: 'pages', name: 'Pages' })).toMatchObject({
    status: 400,
    body: { error: 'pages is a website. A registry keeps code only, so it cannot be added.' },
  });
  expect(await add({}, { canister: 'Till', name: 'Till' })).toMatchObject({
    status: 404,
    body: { error: 'This run has published no canister of that name.' },
  });
  expect(await add({}, { canister: 'till', name: '  ' })).toMatchObject({
    status: 400,
    body: { error: 'Name is required.' },
  });
  await client.push('broken', { 'main.mo': 'persistent actor { oops' });
  const broken = await client.create('broken', 'MOTOKO');
  const failed = await client.run(broken);
  expect(await add({ id: broken, of: failed.id }, { canister: 'main', name: 'Broken' })).toMatchObject({
    status: 400,
    body: { error: 'Only modules of a run that has succeeded can be added to a registry.' },
  });
  expect(await registries()).toEqual(before);
}, 60_000);

test('only its owner adds it, and it counts among her uploads', async () => {
  const bob = createApi(client.product.url, await signIn(client.product.url, 'bob'));
  const body = { canister: 'till', name: 'Mine' };
  const refused = await add({ api: bob }, body);
  expect(refused).toMatchObject({ status: 404, body: { code: 'not_found' } });
  expect(await add({ api: bob, of: randomUUID() }, body)).toMatchObject({ status: 404 });
  expect(await registries(bob)).toEqual([]);

  await client.push('large', {
    'main.mo': `persistent actor { public query func text() : async Text { "${'x'.repeat(900_000)}" } }`,
  });
  const id = await client.create('large', 'MOTOKO');
  const large = await client.run(id);
  const [part] = large.artifacts ?? [];
  expect(part?.size).toBeGreaterThan(900_000);
  const canister = part?.name ?? '';
  const before = await registries();
  const documents = await documentsOf('ada');
  const fits = await add({ id, of: large.id }, { canister, name: 'Fits' });
  expect(fits.status).toBe(200);
  const over = await add({ id, of: large.id }, { canister, name: 'Over' });
  expect(over).toMatchObject({
    status: 400,
    body: { code: 'quota_reached', error: 'Your uploads would be more than 2 MiB together.' },
  });
  expect(await registries()).toHaveLength(before.length + 1);
  expect(await documentsOf('ada')).toHaveLength(documents.length + 1);
}, 120_000);

test('nothing is taken out of a damaged pack, nor out of one that is gone', async () => {
  const before = [await registries(), await documentsOf('ada')];
  const db = openDatabase(embeddedConnection(client.product.dataDir), 1);
  const { identifier } = await db
    .selectFrom('run_artifacts')
    .select('identifier')
    .where('instance_id', '=', run.id)
    .executeTakeFirstOrThrow();
  const folder = join(client.product.dataDir, 'blobs');
  const blob = readdirSync(folder, { recursive: true, withFileTypes: true }).find(
    ({ name }) => name === identifier,
  );
  const path = join(blob?.parentPath ?? '', identifier);
  // A byte of the website behind the module: the module itself is whole, and so is the index.
  const content = readFileSync(path);
  const at = content.indexOf('<p>pages</p>');
  expect(at).toBeGreaterThan(0);
  content[at + 3] = 0x50;
  writeFileSync(path, content);
  const gone = {
    status: 400,
    body: { error: 'What that run has published is not kept any more. Push its commit again and deploy.' },
  };
  expect(await add({}, { canister: 'till', name: 'Damaged' })).toMatchObject(gone);
  // What the server prints arrives after its answer.
  await expect
    .poll(() => client.product.output())
    .toContain('is damaged: its content does not have the SHA-256');
  await db.deleteFrom('run_artifacts').where('instance_id', '=', run.id).execute();
  await db.destroy();
  expect((await add({}, { canister: 'till', name: 'Let go' })).status).toBe(400);
  expect([await registries(), await documentsOf('ada')]).toEqual(before);
  expect(readdirSync(join(folder, 'incoming'))).toEqual([]);
}, 60_000);
