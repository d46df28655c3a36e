import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { MAX_DAPPS } from '@cannery/contract';
import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { embeddedConnection } from '../../src/db/postgres/embedded-postgres.ts';
import { MOST_REGISTRIES } from '../../src/features/registry/store.ts';
import { MOST_VERSIONS } from '../../src/features/registry/save-registry.ts';
import type { RunningServer } from '../../src/start-server.ts';
import { ApiClient } from '../support/client.ts';
import { insertDapps } from '../support/insert-dapps.ts';
import { insertRegistries } from '../support/insert-registries.ts';
import { newModule } from '../authorisation/matrix-world.ts';
import { NO_NETWORK, startTestServer } from '../support/server.ts';

// As many registries, versions and dapps as there may be are written past the server, one less than the limit.
let dataDir: string;
let server: RunningServer;
let database: pg.Client;
let ada: ApiClient;
let userId: string;
let identifier: string;
beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'cannery-most-'));
  server = await startTestServer({ DATA_DIR: dataDir, IC_URL: NO_NETWORK });
  ada = await ApiClient.signIn(server.url, 'ada');
  identifier = await ada.uploadWasm(newModule());
  database = new pg.Client(embeddedConnection(dataDir));
  await database.connect();
  const { rows } = await database.query("select id from users where username = 'ada'");
  userId = rows[0].id;
});
afterAll(async () => {
  await database.end();
  await server.close();
  await rm(dataDir, { recursive: true, force: true });
});

const many = (count: number) => Array.from({ length: count }, (_, place) => `Entry ${place}`);
const REFUSED = { status: 400, body: { code: 'quota_reached' } };

test('[REG-03] a user keeps up to a number of registries', async () => {
  await insertRegistries(database, { userId, identifier, names: many(MOST_REGISTRIES - 1) });
  const add = () => ada.post('/registry/add', { name: 'Last', identifier });
  const last = await add();
  expect(last).toMatchObject({ status: 200 });
  expect(await add()).toMatchObject(REFUSED);
  await ada.post(`/registry/delete/${last.body.id}`, undefined);
  expect(await add()).toMatchObject({ status: 200 });
});

test('[REG-05] a registry has up to a number of versions, and is renamed all the same', async () => {
  await database.query('delete from registries where user_id = $1', [userId]);
  const { body } = await ada.post('/registry/add', { name: 'Often', identifier });
  await database.query('update registries set version = $1 where id = $2', [MOST_VERSIONS - 1, body.id]);
  const update = (change: object) => ada.post(`/registry/update/${body.id}`, { name: 'Often', ...change });
  expect(await update({ identifier: await ada.uploadWasm(newModule()) })).toMatchObject({ status: 200 });
  expect(await update({ identifier })).toMatchObject(REFUSED);
  expect(await update({ name: 'Renamed' })).toMatchObject({
    status: 200,
    body: { data: { name: 'Renamed', version: MOST_VERSIONS } },
  });
});

test('[MKT-09] a user has up to a number of dapps in the marketplace', async () => {
  const dapp = { description: 'One of many', kind: null, installs: 0 };
  const dapps = many(MAX_DAPPS - 1).map((name) => ({ ...dapp, name }));
  await insertDapps(database, { userId, username: 'ada', dapps });
  const submit = () =>
    ada.post('/marketplace/submit', {
      name: 'Last',
      git_url: 'https://example.org/ada/last',
      description: 'The last one',
      version: '1.0.0',
      wasm: identifier,
    });
  const last = await submit();
  expect(last).toMatchObject({ status: 200 });
  expect(await submit()).toMatchObject(REFUSED);
  await ada.post(`/marketplace/delete/${last.body.data}`, undefined);
  expect(await submit()).toMatchObject({ status: 200 });
});
