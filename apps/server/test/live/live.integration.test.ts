import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { LiveSubject } from '@cannery/contract';
import { createApi, pushFolder, signIn } from '@cannery/dev-env';
import pg from 'pg';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { embeddedConnection } from '../../src/db/postgres/embedded-postgres.ts';
import type { RunningServer } from '../../src/start-server.ts';
import { ApiClient } from '../support/client.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';
import { type LiveStream, readLive } from '../support/live-reader.ts';
import { moduleOf } from '../support/modules.ts';
import { type S3Service, startS3Service } from '../service/s3-service.ts';
import { startTestServer } from '../support/server.ts';

// Two servers share one database. Whatever happens at the first one is told by the second one, so that nothing within one process
// is of help.
let folder: string;
let database: TestDatabase;
let storage: S3Service;
let rows: pg.Client;
let first: RunningServer;
let second: RunningServer;
let ada: ApiClient;
const streams: LiveStream[] = [];

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'cannery-live-'));
  database = await createTestDatabase();
  storage = await startS3Service();
  const connection = await embeddedConnection(database.folder);
  const { host, user, password, database: name } = connection;
  const address = `postgres://${user}:${encodeURIComponent(password)}@localhost/${name}?host=${encodeURIComponent(host)}`;
  const common = { ...storage.settings, DATABASE_URL: address, WORKER: 'off' } as const;
  first = await startTestServer({ ...common, DATA_DIR: join(folder, 'first') });
  second = await startTestServer({ ...common, DATA_DIR: join(folder, 'second'), IC_URL: first.networkUrl });
  ada = await ApiClient.signIn(first.url, 'ada');
  rows = new pg.Client(connection);
  await rows.connect();
});
afterEach(() => {
  for (const stream of streams.splice(0)) stream.close();
});
afterAll(async () => {
  await rows.end();
  for (const server of [second, first]) await server.close();
  await database.close();
  await storage[Symbol.asyncDispose]();
  rmSync(folder, { recursive: true, force: true });
});

async function listen(token = ada.token, server = second): Promise<LiveStream> {
  const stream = await readLive(server.url, token);
  streams.push(stream);
  return stream;
}

let marks = 0;
const MARK = 'mark-';

/**
 * Waits until everything that was told before has arrived: notices come in the order in which they were told, so that a mark comes
 * after them.
 *
 * @returns the number of news until then, the mark included
 */
async function settle(stream: LiveStream, userName = 'ada'): Promise<number> {
  const mark: LiveSubject = { kind: 'canisters', id: `${MARK}${++marks}` };
  await rows.query(`select tell_live('user:' || id, $1) from users where username = $2`, [
    `canisters ${mark.id}`,
    userName,
  ]);
  await expect.poll(() => stream.news.some(isAbout(mark)), { timeout: 15_000, interval: 10 }).toBe(true);
  return stream.news.findIndex(isAbout(mark)) + 1;
}

/** What a stream has brought but for marks, from a place on. */
const newsOf = ({ news }: LiveStream, from = 0): LiveStream['news'] =>
  news.slice(from).filter((told) => !(told.kind === 'canisters' && told.id.startsWith(MARK)));

const isAbout =
  (subject: LiveSubject) =>
  ({ arrivedAt: _when, ...told }: LiveStream['news'][number]): boolean =>
    JSON.stringify(told) === JSON.stringify(subject);

/** Does something, and expects to be told of these subjects within a second of its end. */
async function expectTold<T>(
  stream: LiveStream,
  act: () => Promise<T>,
  subjects: (done: T) => LiveSubject[],
): Promise<T> {
  const before = await settle(stream);
  const done = await act();
  const endedAt = Date.now();
  for (const subject of subjects(done)) {
    const find = (): LiveStream['news'][number] | undefined =>
      stream.news.slice(before).find(isAbout(subject));
    await expect.poll(find, { message: JSON.stringify(subject), interval: 10 }).toBeDefined();
    expect((find()?.arrivedAt ?? Number.POSITIVE_INFINITY) - endedAt).toBeLessThan(1_000);
  }
  return done;
}

const created = ({ body }: Awaited<ReturnType<ApiClient['post']>>): string =>
  (body as { data: { canister_id: string } }).data.canister_id;

async function push(name: string, text: string): Promise<void> {
  const source = mkdtempSync(join(folder, 'push-'));
  mkdirSync(source, { recursive: true });
  writeFileSync(join(source, 'index.html'), text);
  const api = createApi(first.url, ada.token);
  await pushFolder({ productUrl: first.url, api, folder: source, owner: 'ada', name });
}

test('what happens at one server is told by the other: canisters, cycles, repositories, deploys and runs', async () => {
  const live = await listen();
  expect(live.status).toBe(200);
  const balance: LiveSubject = { kind: 'balance' };
  const id = await expectTold(
    live,
    async () => created(await ada.post('/canister/create', { name: 'one' })),
    (canister) => [{ kind: 'canisters', id: canister }, balance],
  );
  const canister: LiveSubject = { kind: 'canisters', id };
  await expectTold(
    live,
    () => ada.post('/canister/topup', { canister_id: id, amount: 1 }),
    () => [canister, balance],
  );
  await expectTold(
    live,
    () => ada.post('/canister/stop', { canister_id: id }),
    () => [canister],
  );
  await expectTold(
    live,
    () => ada.post('/canister/start', { canister_id: id }),
    () => [canister],
  );
  await expectTold(
    live,
    () => ada.post('/canister/rename', { canister_id: id, name: 'first' }),
    () => [canister],
  );
  await expectTold(
    live,
    () => ada.post('/canister/tags', { canister_id: id, add_tags: ['prod'] }),
    () => [canister],
  );

  await expectTold(
    live,
    () => push('site', 'one'),
    () => [{ kind: 'repositories' }],
  );
  const settings = {
    branch: 'main',
    owner: 'ada',
    repo_name: 'site',
    deploy_type: 'STATIC_SITE',
    is_public: false,
  };
  const deploy = await expectTold(
    live,
    async () => String((await ada.post('/deploy', { ...settings, name: 'site' })).body['id']),
    (deployId) => [{ kind: 'deploys', id: deployId }],
  );
  for (const name of ['a-shop', '']) {
    await expectTold(
      live,
      () => ada.patch(`/deploy/${deploy}`, { site_name: name }),
      () => [{ kind: 'deploys', id: deploy }],
    );
  }
  expect((await ada.patch(`/deploy/${deploy}`, { on_push: true })).status).toBe(200);
  const before = await settle(live);
  await push('site', 'two');
  await expect.poll(() => live.news.slice(before).find(({ kind }) => kind === 'run')).toBeDefined();
  const { rows: runs } = await rows.query<{ id: string; trigger_by: string }>(
    'select id, trigger_by from deploy_instances where deploy_id = $1',
    [deploy],
  );
  expect(runs.map(({ trigger_by: by }) => by)).toEqual(['PUSH']);
  const run: LiveSubject = { kind: 'run', deploy_id: deploy, id: runs[0]?.id ?? '' };
  expect(live.news.slice(before).some(isAbout(run))).toBe(true);

  await expectTold(
    live,
    () => ada.post(`/deploy/${deploy}/instances/${run.id}/cancel`, {}),
    () => [run],
  );
  await ada.post('/canister/stop', { canister_id: id });
  await expectTold(
    live,
    () => ada.post('/canister/delete', { canister_id: id }),
    () => [canister, balance],
  );
});

test('neither a look at a canister, nor a sample of its balance, nor a line of a log is told', async () => {
  const id = created(await ada.post('/canister/create', { name: 'quiet' }));
  const live = await listen();
  const before = await settle(live);
  for (const path of [
    `/canister/status/${id}?real_time=true`,
    `/canister/details/${id}`,
    '/canister/list/',
    `/canister/logs/${id}`,
  ])
    expect((await ada.get(path)).status).toBe(200);
  await rows.query(
    'update canisters set cycles = cycles - 1, sampled_at = now(), refreshed_at = now() where id = $1',
    [id],
  );
  await rows.query(
    `insert into canister_balances (canister_id, slot, taken_at, cycles) values ($1, 1, now(), 5)`,
    [id],
  );
  await rows.query(
    `insert into deploy_log_lines (instance_id, seq, text)
      select id, 1000, 'a line' from deploy_instances limit 1`,
  );
  await rows.query('update sessions set last_used_at = now()');
  await settle(live);
  expect(newsOf(live, before)).toEqual([]);
  // What the network says otherwise than the console knew is told.
  await rows.query(`update canisters set status = 'stopped' where id = $1`, [id]);
  await expect.poll(() => live.news.some(isAbout({ kind: 'canisters', id }))).toBe(true);
});

test('[R8] nobody is told of what is another user’s, and an API token is told nothing', async () => {
  const eve = await listen(await signIn(second.url, 'eve'));
  const live = await listen();
  await settle(live);
  const id = created(await ada.post('/canister/create', { name: 'mine' }));
  await expect.poll(() => live.news.some(isAbout({ kind: 'canisters', id }))).toBe(true);
  await push('mine', 'x');
  await settle(live);
  expect(live.news.some(isAbout({ kind: 'repositories' }))).toBe(true);
  await settle(eve, 'eve');
  expect(newsOf(eve)).toEqual([]);
  const { body } = await ada.post('/api-tokens', { label: 'ci', scopes: ['deploys:read', 'deploys:run'] });
  expect((await listen(String(body['secret'] ?? body['token']))).status).toBe(403);
  expect((await listen('x')).status).toBe(401);
});

test('a session that ends is told so at once and its streams end; other sessions go on', async () => {
  const other = await ApiClient.signIn(first.url, 'ada');
  const [one, two] = [await listen(other.token, first), await listen(other.token, second)];
  const stays = await listen();
  await settle(stays);
  const outAt = Date.now();
  await other.post('/auth/logout', {});
  for (const stream of [one, two]) {
    await stream.over;
    expect((stream.signedOutAt ?? Number.POSITIVE_INFINITY) - outAt).toBeLessThan(1_000);
  }
  await settle(stays);
  expect(stays.signedOutAt).toBeUndefined();
  const id = created(await ada.post('/canister/create', { name: 'on' }));
  await expect.poll(() => stays.news.some(isAbout({ kind: 'canisters', id }))).toBe(true);
});

test('[R8] a session has four streams and a user sixteen', async () => {
  const statuses = async (count: number, token: string): Promise<number[]> => {
    const opened: number[] = [];
    for (let place = 0; place < count; place += 1) opened.push((await listen(token)).status);
    return opened;
  };
  const dora = await signIn(second.url, 'dora');
  expect(await statuses(5, dora)).toEqual([200, 200, 200, 200, 429]);
  for (let session = 0; session < 3; session += 1)
    expect(await statuses(4, await signIn(second.url, 'dora'))).toEqual([200, 200, 200, 200]);
  const last = await signIn(second.url, 'dora');
  expect((await listen(last)).status).toBe(429);
  // One that is closed makes room.
  streams.find(({ status }) => status === 200)?.close();
  await expect.poll(async () => (await listen(last)).status).toBe(200);
});

test('after a gap in which something may have been missed everything is asked for again', async () => {
  const live = await listen();
  await settle(live);
  expect(newsOf(live)).toEqual([]);
  // As when the database has crashed, which empties this table.
  await rows.query('truncate live_watches');
  await rows.query(
    `select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'cannery-notices'`,
  );
  await expect.poll(() => live.news.some(({ kind }) => kind === 'all'), { timeout: 5_000 }).toBe(true);
  const id = created(await ada.post('/canister/create', { name: 'after' }));
  await expect.poll(() => live.news.some(isAbout({ kind: 'canisters', id }))).toBe(true);
});

test('nothing is told of a user whose pages nobody has open', async () => {
  await signIn(first.url, 'fay');
  const heard: string[] = [];
  const listener = new pg.Client(await embeddedConnection(database.folder));
  listener.on('notification', ({ payload = '' }) => heard.push(payload));
  await listener.connect();
  await listener.query('listen cannery_news');
  await listener.query('listen marks');
  const change = `update accounts set held = held + 1 where user_id = (select id from users where username = 'fay')`;
  try {
    await rows.query(change);
    // Notices of all channels come in the order of their commits.
    await rows.query(`notify marks, 'mark'`);
    await expect.poll(() => heard.includes('mark')).toBe(true);
    expect(heard.filter((payload) => payload.endsWith(' balance'))).toEqual([]);
    const live = await listen(await signIn(first.url, 'fay'));
    await rows.query(change);
    await expect.poll(() => live.news.some(isAbout({ kind: 'balance' }))).toBe(true);
    expect(heard.filter((payload) => payload.endsWith(' balance'))).toHaveLength(1);
  } finally {
    await listener.end();
  }
});

test('a change that was under way when the stream was opened is not missed', async () => {
  await signIn(first.url, 'gus');
  const other = new pg.Client(await embeddedConnection(database.folder));
  await other.connect();
  try {
    await other.query('begin');
    await other.query(
      `update accounts set held = held + 1 where user_id = (select id from users where username = 'gus')`,
    );
    const live = await listen(await signIn(first.url, 'gus'));
    await settle(live, 'gus');
    expect(newsOf(live)).toEqual([]);
    await other.query('commit');
    await expect.poll(() => live.news.some(isAbout({ kind: 'all' }))).toBe(true);
  } finally {
    await other.end();
  }
});

test('a changed dapp is told to every open page, a rating to none', async () => {
  const live = await listen();
  const wasm = await ada.uploadWasm(moduleOf({ exports: ['canister_query a'] }));
  const texts = { name: 'Rated', git_url: 'https://example.org/rated', description: 'Rated' };
  const dapp = await expectTold(
    live,
    async () =>
      String((await ada.post('/marketplace/submit', { ...texts, wasm, version: '1.0.0' })).body['data']),
    () => [{ kind: 'dapps' }],
  );
  const before = await settle(live);
  const eve = await ApiClient.signIn(first.url, 'eve');
  const { rows: users } = await rows.query<{ id: string }>(`select id from users where username = 'eve'`);
  for (const stars of [1, 5]) {
    await rows.query(
      `insert into dapp_ratings (dapp_id, user_id, stars) values ($1, $2, $3)
        on conflict (dapp_id, user_id) do update set stars = excluded.stars`,
      [dapp, users[0]?.id, stars],
    );
  }
  expect((await eve.get(`/marketplace/${dapp}`)).body).toMatchObject({ rating: 5, ratings: 1 });
  await settle(live);
  expect(newsOf(live, before)).toEqual([]);
});

test('what everybody is told of without end is told to open pages now and then, and the last of it is not lost', async () => {
  const live = await listen();
  const before = await settle(live);
  const begun = Date.now();
  let last = begun;
  for (let times = 0; times < 40; times += 1) {
    await delay(50);
    last = Date.now();
    await rows.query(`select tell_live('everybody', 'dapps')`);
  }
  const isToldSince = (): boolean => newsOf(live, before).some(({ arrivedAt }) => arrivedAt >= last);
  await expect.poll(isToldSince, { timeout: 15_000, interval: 10 }).toBe(true);
  const most = 1 + Math.ceil((Date.now() - begun) / 5_000);
  expect(newsOf(live, before).length).toBeLessThanOrEqual(most);
});
