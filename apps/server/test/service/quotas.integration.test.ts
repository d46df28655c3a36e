import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import {
  MAX_API_TOKENS,
  MAX_DAPPS,
  MAX_DEPLOYS,
  MAX_GIT_TOKENS,
  MAX_PRODUCTS,
  type ProductFields,
} from '@cannery/contract';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { embeddedConnection } from '../../src/db/postgres/embedded-postgres.ts';
import { configOf } from '../../src/config/config.ts';
import { readEnv } from '../../src/config/env.ts';
import type { Tx } from '../../src/db/tx.ts';
import { insertInstance } from '../../src/features/deploy/store/run-store.ts';
import { keepArtifact } from '../../src/features/deploy/artifacts/keep-artifact.ts';
import { insertDeploy } from '../../src/features/deploy/store/store.ts';
import { announceBlob } from '../../src/features/document/store.ts';
import { MOST_REGISTRIES } from '../../src/features/registry/store.ts';
import type { RunningServer } from '../../src/start-server.ts';
import { anyDeploy } from '../support/any-deploy.ts';
import { type Answer, ApiClient } from '../support/client.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';
import { insertDapps } from '../support/insert-dapps.ts';
import { insertRegistries } from '../support/insert-registries.ts';
import { newModule } from '../authorisation/matrix-world.ts';
import { custom, moduleOf } from '../support/modules.ts';
import { type S3Service, startS3Service } from './s3-service.ts';
import { NO_NETWORK, startTestServer } from '../support/server.ts';

// Many requests side by side where there is room for a few. Two servers share one database, so that nothing that is kept in one
// process is of help.
const SIDE_BY_SIDE = 20;
const ROOM = 3;

let folder: string;
let database: TestDatabase;
let storage: S3Service;
let rows: pg.Client;
let servers: readonly RunningServer[];
/** One user, at each server. */
let clients: readonly ApiClient[];
let userId: string;
let module: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'cannery-side-by-side-'));
  database = await createTestDatabase();
  storage = await startS3Service();
  const connection = await embeddedConnection(database.folder);
  const { host, user, password, database: name } = connection;
  const address = `postgres://${user}:${encodeURIComponent(password)}@localhost/${name}?host=${encodeURIComponent(host)}`;
  const start = (place: string) =>
    startTestServer({
      ...storage.settings,
      DATABASE_URL: address,
      DATA_DIR: join(folder, place),
      IC_URL: NO_NETWORK,
      UPLOAD_MB: 1,
      OPEN_BUILDS_PER_USER: ROOM,
      WORKER: 'off',
    });
  servers = [await start('first'), await start('second')];
  const [first, second] = servers;
  if (first === undefined || second === undefined) throw new Error('There are two servers.');
  const ada = await ApiClient.signIn(first.url, 'ada');
  clients = [ada, new ApiClient(second.url, ada.token)];
  rows = new pg.Client(connection);
  await rows.connect();
  userId = (await rows.query("select id from users where username = 'ada'")).rows[0].id;
  module = await ada.uploadWasm(newModule());
});
afterAll(async () => {
  await rows.end();
  for (const server of servers) await server.close();
  await database.close();
  await storage[Symbol.asyncDispose]();
  await rm(folder, { recursive: true, force: true });
});

/** Makes calls at both servers in turn, all at once. */
async function together(
  call: (client: ApiClient, place: number) => Promise<Answer>,
  count = SIDE_BY_SIDE,
): Promise<Answer[]> {
  return Promise.all(
    Array.from({ length: count }, (_, place) => {
      const client = clients[place % clients.length];
      if (client === undefined) throw new Error('There are clients.');
      return call(client, place);
    }),
  );
}

/** As many were taken as there was room for; the others were told why not. */
function expectRoomFor(room: number, answers: readonly Answer[]): void {
  const told = answers.map(({ status, body }) => (status === 200 ? 'taken' : String(body.code)));
  expect(told.toSorted()).toEqual([
    ...Array<string>(answers.length - room).fill('quota_reached'),
    ...Array<string>(room).fill('taken'),
  ]);
}

const first = (): ApiClient => {
  const [client] = clients;
  if (client === undefined) throw new Error('There are clients.');
  return client;
};

test('runs that are open have a number', async () => {
  expect((await first().post('/repository/templates/static-site', {})).status).toBe(200);
  const settings = { branch: 'main', owner: 'ada', repo_name: 'static-site', deploy_type: 'STATIC_SITE' };
  const deploys: unknown[] = [];
  for (let place = 0; place < SIDE_BY_SIDE; place += 1)
    deploys.push((await first().post('/deploy', { ...settings, name: `site-${place}` })).body.id);
  expectRoomFor(
    ROOM,
    await together((client, place) => client.post(`/deploy/${deploys[place]}/trigger`, {})),
  );
});

/** Writes deploys of the user past the server until there is this number of them. */
async function fillDeploys(count: number): Promise<void> {
  await rows.query(
    `insert into deploys (id, user_id, name, type, branch, repo_owner, repo_name, repo_url, github_repository_id, is_public, settings)
      select gen_random_uuid(), $1, 'filler', 'MOTOKO', 'main', 'ada', 'static-site', null, null, false, '{}'
      from generate_series(1, $2 - (select count(*)::integer from deploys where user_id = $1))`,
    [userId, count],
  );
}

/** The repository of deploys, which may be there. */
const addRepository = (): Promise<Answer> => first().post('/repository/templates/static-site', {});

test('deploys have a number', async () => {
  await addRepository();
  await fillDeploys(MAX_DEPLOYS - ROOM);
  const site = { branch: 'main', owner: 'ada', repo_name: 'static-site', name: 'last' };
  // The other server has other repositories.
  expectRoomFor(ROOM, await together(() => first().post('/deploy', site)));
  await rows.query("delete from deploys where user_id = $1 and name in ('filler', 'last')", [userId]);
});

test('settings of deploys have a size together, and can be made smaller all the same', async () => {
  await addRepository();
  const motoko = { branch: 'main', owner: 'ada', repo_name: 'static-site', deploy_type: 'MOTOKO' };
  const ids: string[] = [];
  for (let place = 0; place < 2 * ROOM; place += 1)
    ids.push(String((await first().post('/deploy', { ...motoko, name: `wide-${place}` })).body.id));
  // Just under a mebibyte for each.
  const argument = 'x'.repeat(20_000);
  const wide = Array.from({ length: 50 }, (_, place) => ({ canister: `c${place}`, argument }));
  const change = (client: ApiClient, place: number, install_arguments: unknown) =>
    client.patch(`/deploy/${ids[place]}`, { install_arguments });
  const answers = await together((client, place) => change(client, place, wide), ids.length);
  expectRoomFor(4, answers);
  await rows.query("update deploys set settings = settings || $2 where user_id = $1 and name = 'wide-0'", [
    userId,
    JSON.stringify({ install_arguments: { c: 'x'.repeat(5 * 1024 * 1024) } }),
  ]);
  // Which of them had room is chance, and one without such settings would grow by an empty list.
  const taken = answers.findIndex(({ status }, place) => status === 200 && place > 0);
  expect((await change(first(), taken, [])).status).toBe(200);
  expect((await change(first(), 0, wide)).status).toBe(200);
  await rows.query("delete from deploys where user_id = $1 and name like 'wide-%'", [userId]);
});

test('access tokens of git have a number, of which those that have ended are none', async () => {
  await rows.query(
    `insert into git_tokens (id, user_id, label, token_hash, expires_at)
      select gen_random_uuid(), $1, 'filler', gen_random_uuid()::text, case when n <= 10 then now() end
      from generate_series(1, $2) as n`,
    [userId, MAX_GIT_TOKENS - ROOM + 10],
  );
  expectRoomFor(ROOM, await together((client) => client.post('/repository/tokens', { label: 'last' })));
});

test('API tokens have a number', async () => {
  const create = (client: ApiClient) => client.post('/api-tokens', { label: 'x', scopes: ['deploys:read'] });
  for (let place = ROOM; place < MAX_API_TOKENS; place += 1) expect((await create(first())).status).toBe(200);
  expectRoomFor(ROOM, await together(create));
});

test('dapps of a user in the marketplace have a number', async () => {
  const dapps = Array.from({ length: MAX_DAPPS - ROOM }, (_, place) => ({
    name: `Dapp ${place}`,
    description: 'One of many',
    kind: null,
    installs: 0,
  }));
  await insertDapps(rows, { userId, username: 'ada', dapps });
  const dapp = { git_url: 'https://example.org/ada/x', description: 'x', version: '1.0.0', wasm: module };
  expectRoomFor(
    ROOM,
    await together((client, place) => client.post('/marketplace/submit', { ...dapp, name: `New ${place}` })),
  );
});

test('registries of a user have a number', async () => {
  const names = Array.from({ length: MOST_REGISTRIES - ROOM }, (_, place) => `Entry ${place}`);
  await insertRegistries(rows, { userId, identifier: module, names });
  expectRoomFor(
    ROOM,
    await together((client, place) =>
      client.post('/registry/add', { name: `New ${place}`, identifier: module }),
    ),
  );
});

test('sample products of a user have a number', async () => {
  const there = (await first().list('/products')).length;
  await rows.query(
    `insert into products (id, user_id, img, title, subtitle, price_cents, rating_tenths)
     select gen_random_uuid()::text, user_id, img, title, subtitle, price_cents, rating_tenths
     from (select * from products where user_id = $1 limit 1) as one, generate_series(1, $2)`,
    [userId, MAX_PRODUCTS - there - ROOM],
  );
  const [sample] = await first().list('/products');
  const { id: _, ...fields } = sample as ProductFields & { id: string };
  expectRoomFor(ROOM, await together((client) => client.post('/products', fields)));
});

describe('uploads', () => {
  /** This many are taken of a user at each server, running and waiting; what is beyond is refused as too much at once. */
  const AT_ONCE = 12;
  const file = () =>
    moduleOf({ exports: ['canister_query x'], after: [custom('padding', randomBytes(300_000))] });
  const upload = (client: ApiClient) => client.upload('/document/upload', 'wasm', file());

  /** Names of all that the servers have stored, which is in the bucket of both. */
  const stored = () => storage.names();

  test('of a user have room for some bytes, and what is refused is not stored', async () => {
    const before = await stored();
    expectRoomFor(ROOM, await together(upload, AT_ONCE));
    const kept = (await stored()).filter((name) => !before.includes(name));
    const { rows: documents } = await rows.query(
      'select identifier from documents where user_id = $1 and size > 300000',
      [userId],
    );
    expect(kept.toSorted()).toEqual(documents.map(({ identifier }) => identifier).toSorted());
    expect((await rows.query('select id from reservations')).rows).toEqual([]);
  });

  test('that a user has already take no more room', async () => {
    const ben = await ApiClient.signIn(servers[0]?.url ?? '', 'ben');
    const half = () =>
      moduleOf({ exports: ['canister_query x'], after: [custom('padding', randomBytes(500_000))] });
    const same = half();
    const answers: Answer[] = [];
    for (const bytes of [same, same, half(), half()])
      answers.push(await ben.upload('/document/upload', 'wasm', bytes));
    expect(answers.map(({ status, body }) => body.code ?? status)).toEqual([200, 200, 200, 'quota_reached']);
  });

  test('that were sent packed count as the texts that are kept of them, and are shown with the bytes sent', async () => {
    const cleo = await ApiClient.signIn(servers[0]?.url ?? '', 'cleo');
    const packed = (name: string) => {
      const candid = `service : { ${name} : () -> (nat) query } // ${'x'.repeat(600_000)}`;
      const after = [custom('icp:public candid:service', candid)];
      return gzipSync(moduleOf({ exports: [`canister_query ${name}`], after }));
    };
    const sent = packed('one');
    const identifier = await cleo.uploadWasm(sent);
    const added = await cleo.post('/registry/add', { name: 'Packed', identifier });
    const { body } = await cleo.get(`/registry/${added.body.id}`);
    expect(body).toMatchObject({ versions: [{ size: sent.length }] });
    expect((await cleo.upload('/document/upload', 'wasm', packed('two'))).body.code).toBe('quota_reached');
  });
});

test('of two runs of a user that end at once both know what the other keeps', async () => {
  const owner = await database.newUser(0n);
  const blob = 'a'.repeat(64);
  const newRun = () =>
    database.transact(async (tx) => {
      await announceBlob(tx, blob);
      const deployId = await insertDeploy(tx, anyDeploy(owner));
      const { id } = await insertInstance(tx, { deployId, userId: owner, triggerBy: 'MANUAL' }, ROOM);
      return { id, deploy_id: deployId, user_id: owner };
    });
  const { artifacts, ...config } = configOf(readEnv({}));
  const roomForOne = { config: { ...config, artifacts: { ...artifacts, bytes: 1000 } } };
  const keep = (tx: Tx, run: Awaited<ReturnType<typeof newRun>>) =>
    keepArtifact(roomForOne, tx, run, { identifier: blob, size: 1000, canisters: [] });
  const [one, other] = [await newRun(), await newRun()];

  const written = Promise.withResolvers<void>();
  const goOn = Promise.withResolvers<void>();
  const ends = database.transact(async (tx) => {
    await keep(tx, one);
    written.resolve();
    await goOn.promise;
  });
  await written.promise;
  let otherIsOver = false;
  const otherEnds = database
    .transact((tx) => keep(tx, other))
    .finally(() => {
      otherIsOver = true;
    });
  const waiting = `select 1 from pg_stat_activity where wait_event_type = 'Lock'`;
  await expect.poll(async () => otherIsOver || (await rows.query(waiting)).rows.length > 0).toBe(true);
  goOn.resolve();
  await Promise.all([ends, otherEnds]);
  const { rows: kept } = await rows.query('select instance_id from run_artifacts where user_id = $1', [
    owner,
  ]);
  expect(kept).toHaveLength(1);
});
