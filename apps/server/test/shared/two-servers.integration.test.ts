import { randomBytes, randomUUID } from 'node:crypto';
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createApi, pushFolder } from '@cannery/dev-env';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { insertDeploy } from '../../src/features/deploy/store/store.ts';
import { avatarKey } from '../../src/features/user/avatar-store.ts';
import { startPictureHost, trustPictureHost } from '../../src/picture/picture-host.testing.ts';
import type { RunningServer } from '../../src/start-server.ts';
import { startS3Service, type S3Service } from '../service/s3-service.ts';
import { anyDeploy } from '../support/any-deploy.ts';
import { type Answer, ApiClient } from '../support/client.ts';
import { addressOf, createTestDatabase, type TestDatabase } from '../support/database.ts';
import { moduleOf } from '../support/modules.ts';
import { pngOf } from '../support/pictures.ts';
import { startTestServer } from '../support/server.ts';

// Two servers share a database, a bucket and nothing else: what is done at one of them is used at the other.

/** Of one user; ten times as many at once. */
const CALLS_PER_SECOND = 20;
const BURST = 10 * CALLS_PER_SECOND;
const SIGN_INS_PER_MINUTE = 40;

trustPictureHost();

let folder: string;
let database: TestDatabase;
let storage: S3Service;
let pictures: Awaited<ReturnType<typeof startPictureHost>>;
let asked: number;
let first: RunningServer;
let second: RunningServer;
let ada: ApiClient;
let adaAtSecond: ApiClient;
/** Who was here before there were several servers. */
let former: string;
const FORMER_ADDRESS = 'https://pictures.test/gone.png';
const FORMER_SITE = 'aaaaa-aa';

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'cannery-shared-'));
  database = await createTestDatabase();
  storage = await startS3Service();
  asked = 0;
  pictures = await startPictureHost((_request, response) => {
    asked += 1;
    response.end(pngOf('red'));
  });
  await leaveFormerPictures();
  const common = {
    ...storage.settings,
    DATABASE_URL: addressOf(database),
    RATE_LIMIT: CALLS_PER_SECOND,
    SIGN_IN_LIMIT: SIGN_INS_PER_MINUTE,
    EGRESS_PRIVATE_HOSTS: `localhost:${pictures.port}`,
  };
  first = await startTestServer({ ...common, DATA_DIR: join(folder, 'first') });
  const elsewhere = { WORKER: 'off', DATA_DIR: join(folder, 'second'), IC_URL: first.networkUrl } as const;
  second = await startTestServer({ ...common, ...elsewhere });
  ada = await ApiClient.signIn(first.url, 'ada');
  adaAtSecond = new ApiClient(second.url, ada.token);
});
afterAll(async () => {
  for (const server of [second, first]) await server?.close();
  await database.close();
  await storage[Symbol.asyncDispose]();
  await pictures[Symbol.asyncDispose]();
  rmSync(folder, { recursive: true, force: true });
});

/** Pictures as a server of before has kept them: a file of a user, and bytes in a row of a website. */
async function leaveFormerPictures(): Promise<void> {
  former = await database.newUser(0n);
  await database.db.updateTable('users').set({ avatar: FORMER_ADDRESS }).where('id', '=', former).execute();
  const own = join(folder, 'first/avatars', former);
  mkdirSync(own, { recursive: true });
  writeFileSync(join(own, `${avatarKey(FORMER_ADDRESS)}.png`), pngOf('blue'));
  // What is no picture of a user is no reason to stop.
  mkdirSync(join(folder, 'first/avatars/x'));
  writeFileSync(join(folder, 'first/avatars/x/y.png'), 'y');
  const deployId = await database.transact(async (tx) => {
    const id = await insertDeploy(tx, anyDeploy(former));
    await sql`insert into canisters (id, user_id, name, status, cycles) values (${FORMER_SITE}, ${former}, 'x', 'running', 0)`.execute(
      tx,
    );
    await tx
      .insertInto('deploy_canisters')
      .values({ deploy_id: id, canister_id: FORMER_SITE, name: 'x', kind: 'site' })
      .execute();
    return id;
  });
  await sql`insert into site_pictures (canister_id, deploy_id, instance_id, picture)
    values (${FORMER_SITE}, ${deployId}, 'x', ${Buffer.from('a picture')})`.execute(database.db);
}

const bytesOf = async (url: string): Promise<[number, Buffer]> => {
  const answer = await fetch(url);
  return [answer.status, Buffer.from(await answer.arrayBuffer())];
};

test('a module and an icon that come to one server are used at the other', async () => {
  const module = moduleOf({ exports: ['canister_query a'] });
  const identifier = await ada.uploadWasm(module);
  const created = await adaAtSecond.post('/canister/create', { name: 'one' });
  const { canister_id: id } = created.body['data'] as { canister_id: string };
  const installed = await adaAtSecond.post('/canister/install', {
    canister_id: id,
    identifier,
  });
  expect(installed.status, JSON.stringify(installed.body)).toBe(200);
  const icon = await adaAtSecond.uploadIcon(pngOf('red'));
  const [here, there] = [
    await ada.get(`/document/get/${icon}`),
    await adaAtSecond.get(`/document/get/${icon}`),
  ];
  expect([here.status, here.body]).toEqual([200, there.body]);
});

test('a picture of a user is fetched once and served by both', async () => {
  const avatar = `https://localhost:${pictures.port}/ada.png`;
  await database.db.updateTable('users').set({ avatar }).where('username', '=', 'ada').execute();
  const address = String((await ada.get('/user/profile')).body['avatar']);
  const [status, drawn] = await bytesOf(address);
  expect(status).toBe(200);
  const { pathname, search } = new URL(address);
  expect(await bytesOf(second.url + pathname + search)).toEqual([200, drawn]);
  expect(asked).toBe(1);
});

test('pictures of before are in the bucket after the first start, and served by both', async () => {
  await expect.poll(() => existsSync(join(folder, 'first/avatars'))).toBe(false);
  for (const { url } of [first, second]) {
    expect(await bytesOf(`${url}/api/avatars/${former}`)).toEqual([200, pngOf('blue')]);
    expect(await bytesOf(`${url}/api/site-pictures/${FORMER_SITE}`)).toEqual([200, Buffer.from('a picture')]);
  }
  const left = database.db.selectFrom('site_pictures').select('canister_id').where('picture', 'is not', null);
  await expect.poll(() => left.execute()).toEqual([]);
  expect(await bytesOf(`${second.url}/api/site-pictures/${FORMER_SITE}`)).toEqual([
    200,
    Buffer.from('a picture'),
  ]);
});

test('what a run at one server has published goes into a registry at the other, once for one key at both', async () => {
  const source = mkdtempSync(join(folder, 'push-'));
  writeFileSync(join(source, 'dfx.json'), JSON.stringify({ canisters: { till: { main: 'till.mo' } } }));
  writeFileSync(join(source, 'till.mo'), 'persistent actor { public query func money() : async Nat { 5 } }');
  await pushFolder({
    productUrl: first.url,
    api: createApi(first.url, ada.token),
    folder: source,
    owner: 'ada',
    name: 'shop',
  });
  const settings = {
    name: 'shop',
    branch: 'main',
    owner: 'ada',
    repo_name: 'shop',
    deploy_type: 'CUSTOM',
    is_public: false,
  };
  const deploy = String((await ada.post('/deploy', settings)).body['id']);
  const run = String((await adaAtSecond.post(`/deploy/${deploy}/trigger`, {})).body['id']);
  const path = `/deploy/${deploy}/instances/${run}`;
  const ended = async () => (await adaAtSecond.get(path)).body['status'];
  await expect.poll(ended, { timeout: 120_000, interval: 500 }).toBe('COMPLETED');
  const key = { 'idempotency-key': randomUUID() };
  const body = { canister: 'till', name: 'Till' };
  const added = await adaAtSecond.post(`${path}/registry`, body, key);
  expect(added.status, JSON.stringify(added.body)).toBe(200);
  expect((await ada.post(`${path}/registry`, body, key)).body).toEqual(added.body);
  expect(await ada.list('/registry/')).toHaveLength(1);
});

test('a session that ends at one server has ended at the other within a second', async () => {
  const other = await ApiClient.signIn(second.url, 'ada');
  const atFirst = new ApiClient(first.url, other.token);
  expect((await atFirst.get('/user/profile')).status).toBe(200);
  await other.post('/auth/logout', {});
  const over = performance.now();
  const refused = await atFirst.get('/user/profile');
  expect(refused.status).toBe(401);
  expect(performance.now() - over).toBeLessThan(1000);
});

test('with a storage that is away nothing is taken at either, and what was there is there again', async () => {
  const icon = await ada.uploadIcon(pngOf('green'));
  await storage.stop();
  try {
    const answers = await Promise.all([
      ada.get(`/document/get/${icon}`),
      adaAtSecond.upload('/document/upload/icon', 'icon', pngOf('blue')),
    ]);
    expect(answers.map(({ status, body }) => [status, body['code']])).toEqual([
      [503, 'storage_unavailable'],
      [503, 'storage_unavailable'],
    ]);
  } finally {
    await storage.start();
  }
  expect((await adaAtSecond.get(`/document/get/${icon}`)).status).toBe(200);
});

test('a process that would keep uploads elsewhere does not start, and is told what is missing', async () => {
  const start = { DATABASE_URL: addressOf(database), IC_URL: first.networkUrl, WORKER: 'off' } as const;
  await expect(startTestServer({ ...start, DATA_DIR: join(folder, 'third') })).rejects.toMatchObject({
    name: 'StartError',
    message: expect.stringMatching(
      /^The uploads of this database are kept in the bucket uploads at http:\S+, and this process .* Set BLOBS_S3_URL, BLOBS_S3_BUCKET, BLOBS_S3_ACCESS_KEY and BLOBS_S3_SECRET_KEY as the other processes have them\.$/,
    ),
  });
  await using another = await startS3Service();
  const wrong = { ...start, ...another.settings, DATA_DIR: join(folder, 'fourth') };
  await expect(startTestServer(wrong)).rejects.toMatchObject({
    name: 'StartError',
    message: expect.stringContaining(
      'Set BLOBS_S3_URL and BLOBS_S3_BUCKET as the other processes have them.',
    ),
  });
});

const countOf = (answers: readonly { status: number }[], wanted: number): number =>
  answers.filter(({ status }) => status === wanted).length;

/** Time earns new calls, of which a busy machine leaves more. */
const earned = (since: number, perSecond: number): number =>
  Math.ceil(((performance.now() - since) / 1000) * perSecond);

test('calls of a user at both servers together are as many as a user may make', async () => {
  const eve = await ApiClient.signIn(first.url, 'eve');
  const eveAtSecond = new ApiClient(second.url, eve.token);
  // Each server learns whose token it is.
  for (const client of [eve, eveAtSecond]) expect((await client.get('/user/profile')).status).toBe(200);
  const start = performance.now();
  const flood: Promise<Answer>[] = [];
  for (let call = 0; call < BURST; call += 1)
    flood.push(eve.get('/user/profile'), eveAtSecond.get('/user/profile'));
  const answers = await Promise.all(flood);
  expect(countOf(answers, 200) + countOf(answers, 429)).toBe(2 * BURST);
  expect(countOf(answers, 200)).toBeLessThanOrEqual(BURST + earned(start, CALLS_PER_SECOND));
  expect(countOf(answers, 200)).toBeGreaterThan(BURST / 2);
});

test('who guesses tokens is stopped after as many as one server would take', async () => {
  const guesses: Answer[] = [];
  const start = performance.now();
  for (let guess = 0; guess < 2 * SIGN_INS_PER_MINUTE; guess += 8) {
    const some = Array.from({ length: 8 }, (_, place) =>
      new ApiClient([first, second][place % 2]?.url ?? '', randomBytes(32).toString('base64url')).get(
        '/user/profile',
      ),
    );
    guesses.push(...(await Promise.all(some)));
  }
  // Those that were looked up already when the last token went.
  const underWay = 8;
  expect(countOf(guesses, 401)).toBeLessThanOrEqual(
    SIGN_INS_PER_MINUTE + underWay + earned(start, SIGN_INS_PER_MINUTE / 60),
  );
  expect(countOf(guesses, 429)).toBeGreaterThan(0);
});

test('steps of a sign-in count at both servers together', async () => {
  const start = performance.now();
  const steps: Response[] = [];
  for (let step = 0; step < 2 * SIGN_INS_PER_MINUTE; step += 8) {
    const some = Array.from({ length: 8 }, (_, place) =>
      fetch(`${[first, second][place % 2]?.url}/auth/google`, { redirect: 'manual' }),
    );
    steps.push(...(await Promise.all(some)));
  }
  const windows = 1 + Math.ceil((performance.now() - start) / 60_000);
  expect(countOf(steps, 302)).toBeLessThanOrEqual(windows * SIGN_INS_PER_MINUTE);
  expect(countOf(steps, 302) + countOf(steps, 429)).toBe(steps.length);
  expect(countOf(steps, 429)).toBeGreaterThan(0);
});
