import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { CanisterAnswer, CanisterPicture, DappAnswer, DappInstance } from '@cannery/contract';
import { MAX_PICTURES } from '@cannery/contract';
import { type Api, createApi, signIn } from '@cannery/dev-env';
import pg from 'pg';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { readSamples, sampleModule } from '../../src/builders/motoko/samples.ts';
import { embeddedConnection } from '../../src/db/postgres/embedded-postgres.ts';
import { pictureSize } from '../../src/picture/picture-size.ts';
import { newModule } from '../authorisation/matrix-world.ts';
import { type DeployClient, startDeployClient, uploadModule } from '../support/deploy-client.ts';

let client: DeployClient;
/** A user of one test, since pictures are counted for each. */
let ada: Api;
let rows: pg.Client;
/** Two versions of a dapp that serves pages. */
let versions: readonly Uint8Array[];
/** Their identifiers, and that of a module that serves none. */
let first: string;
let second: string;
let silent: string;
let users = 0;

beforeAll(async () => {
  client = await startDeployClient({ env: { SITE_PICTURES: 'on', OPENING_BALANCE_T: '1000' } });
  rows = new pg.Client(embeddedConnection(client.product.dataDir));
  await rows.connect();
  const sample = (await readSamples()).find(({ folder }) => folder === 'guest-book');
  if (sample === undefined) throw new Error('There is no guest book.');
  const { signal } = new AbortController();
  versions = await Promise.all(sample.versions.map((version) => sampleModule(sample, version, signal)));
});
beforeEach(async () => {
  ada = await someone();
  [first = '', second = ''] = await Promise.all(versions.map((module) => uploadModule(ada, module)));
  silent = await uploadModule(ada, newModule());
});
afterAll(async () => {
  await rows.end();
  await client.dispose();
});

async function someone(): Promise<Api> {
  users += 1;
  return createApi(client.product.url, await signIn(client.product.url, `painter-${users}`));
}

async function create(api: Api): Promise<string> {
  const { data } = await api.call<{ data: { canister_id: string } }>('POST', '/canister/create', {
    name: 'Book',
  });
  return data.canister_id;
}

const install = (api: Api, id: string, identifier: string, mode = 'install') =>
  api.call<{ data: CanisterAnswer }>('POST', '/canister/install', { canister_id: id, identifier, mode });
const pictureOf = (api: Api, id: string) => api.call<CanisterPicture>('GET', `/canister/picture/${id}`);
const order = (api: Api, id: string) => api.request('POST', '/canister/picture', { canister_id: id });

/** What there is when no picture of a canister is under way any more. */
async function settled(api: Api, id: string, within = 60_000): Promise<CanisterPicture> {
  await expect.poll(async () => (await pictureOf(api, id)).ordered, { timeout: within }).toBe(false);
  return pictureOf(api, id);
}

/** A canister with the first version of the guest book and a picture of it. */
async function pictured(api: Api): Promise<string> {
  const id = await create(api);
  await install(api, id, first);
  expect((await settled(api, id)).picture).not.toBeNull();
  return id;
}

/** A website of the user `ada`, whose page runs a script. Its run has a picture taken as well. */
async function siteOf(name: string, script: string): Promise<string> {
  await client.push(name, {
    'index.html': `<!doctype html><body><h1>${name}</h1><script>${script}</script>`,
  });
  const deploy = await client.create(name, 'STATIC_SITE');
  expect((await client.run(deploy)).status).toBe('COMPLETED');
  const { canisters } = await client.ada.call<{ canisters: string[] }>('GET', `/deploy/${deploy}`);
  return canisters[0] ?? '';
}

const browsers = (): number => readdirSync(join(client.product.dataDir, 'builds')).length;
/** Waits until no picture is to be taken. */
const idle = () =>
  expect
    .poll(
      async () =>
        (
          await rows.query(
            `select 1 from pgboss.job where name = 'site-picture' and state in ('created', 'retry', 'active')`,
          )
        ).rowCount,
      { timeout: 60_000 },
    )
    .toBe(0);

test('a canister that answers HTTP gets a picture when its owner installs it and when its owner asks, and an old one is not shown', async () => {
  const id = await create(ada);
  expect((await order(ada, id)).status).toBe(400);
  const { data } = await install(ada, id, first);
  expect([data.serves_http, data.picture]).toEqual([true, null]);
  const taken = await settled(ada, id);
  expect([taken.failure, taken.taken_at]).toEqual([null, expect.any(String)]);
  const address = taken.picture ?? '';
  const answer = await fetch(address);
  expect(answer.headers.get('content-type')).toBe('image/jpeg');
  expect(answer.headers.get('x-content-type-options')).toBe('nosniff');
  expect(answer.headers.get('content-security-policy')).toBe("default-src 'none'; sandbox");
  expect(pictureSize(Buffer.from(await answer.arrayBuffer()))).toEqual({ width: 640, height: 400 });

  const shown = async () => (await ada.call<CanisterAnswer>('GET', `/canister/status/${id}`)).picture;
  expect(await shown()).toBe(address);
  const listed = await ada.call<CanisterAnswer[]>('GET', '/canister/list/');
  expect(listed.find((one) => one.id === id)?.picture).toBe(address);

  // Two orders at once are one.
  const both = await Promise.all([order(ada, id), order(ada, id)]);
  expect(both.map(({ status }) => status)).toEqual([200, 200]);
  const { rowCount } = await rows.query('select 1 from picture_orders where canister_id = $1', [id]);
  expect(rowCount).toBe(2);
  expect((await settled(ada, id)).failure).toBeNull();

  const upgraded = await install(ada, id, second, 'upgrade');
  expect(upgraded.data.picture).toBeNull();
  expect((await settled(ada, id)).picture).not.toBeNull();
  const { rows: kept } = await rows.query(
    'select module_hash from canister_pictures where canister_id = $1',
    [id],
  );
  expect(kept).toEqual([{ module_hash: second }]);
});

test('nobody else asks for a picture, sees it in an answer, or finds it without its address', async () => {
  const id = await pictured(ada);
  const eve = await someone();
  const absent = 'aaaaa-aa';
  for (const [method, path, body] of [
    ['GET', '/canister/picture/{}', undefined],
    ['POST', '/canister/picture', { canister_id: '{}' }],
  ] as const) {
    const as = (named: string) =>
      eve.request(method, path.replace('{}', named), body && { canister_id: named });
    const answer = await as(id);
    expect(answer).toEqual(await as(absent));
    expect(answer.status).toBe(404);
  }
  const bare = await create(ada);
  await install(ada, bare, silent);
  expect((await order(ada, bare)).status).toBe(400);
  for (const digest of ['0'.repeat(64), '..%2f', "'%20or%201=1", ''])
    expect((await fetch(`${client.product.url}/api/canister-pictures/${id}/${digest}`)).status).toBe(404);
});

test('a user has a bounded number of pictures taken in a while', async () => {
  const eager = await someone();
  const id = await create(eager);
  await rows.query(
    `insert into picture_orders (id, user_id, ended_at)
      select 'earlier ' || n, user_id, now() from canisters, generate_series(1, $2::int) n where id = $1`,
    [id, MAX_PICTURES],
  );
  // An installation does without.
  await install(eager, id, await uploadModule(eager, versions[0] ?? new Uint8Array()));
  expect((await order(eager, id)).status).toBe(429);
  expect(await pictureOf(eager, id)).toMatchObject({ picture: null, ordered: false });
  // Those of others count for nothing, and those of long ago.
  expect((await order(ada, await pictured(ada))).status).toBe(200);
  await rows.query(
    `update picture_orders set ordered_at = now() - interval '11 minutes' where id like 'earlier%'`,
  );
  expect((await order(eager, id)).status).toBe(200);
});

test('code that is changed while its page is looked at has no picture, be it the same code again', async () => {
  const id = await pictured(ada);
  for (const [identifier, mode] of [
    [first, 'reinstall'],
    [second, 'upgrade'],
  ] as const) {
    await idle();
    const { picture: before } = await pictureOf(ada, id);
    expect((await order(ada, id)).status).toBe(200);
    await expect.poll(browsers, { interval: 20 }).toBe(1);
    // The installation orders no picture beside the one that is under way.
    await install(ada, id, identifier, mode);
    const picture = identifier === first ? before : null;
    expect(await settled(ada, id)).toMatchObject({ picture, failure: 'changed' });
  }
});

test('[R7] a page that leads away has no picture, and after one that takes all memory and canisters that are gone the next gets one', {
  timeout: 240_000,
}, async () => {
  const away = await siteOf('away', "location.href = 'http://127.0.0.1:9/'");
  await idle();
  expect((await order(client.ada, away)).status).toBe(200);
  expect(await settled(client.ada, away)).toMatchObject({ picture: null, failure: 'no_page' });

  await siteOf(
    'greedy',
    'const kept = []; setInterval(() => { for (let i = 0; i < 4; i += 1) kept.push(new Uint8Array(2 ** 25).fill(1)); }, 5);',
  );
  const gone = await create(ada);
  await install(ada, gone, first);
  await ada.call('POST', '/canister/stop', { canister_id: gone });
  await ada.call('POST', '/canister/delete', { canister_id: gone });
  expect((await pictureOf(ada, await pictured(ada))).failure).toBeNull();
  await idle();
  expect(
    (await rows.query('select 1 from picture_orders where ended_at is null and canister_id is not null'))
      .rowCount,
  ).toBe(0);
  expect((await rows.query('select 1 from picture_orders where canister_id = $1', [gone])).rowCount).toBe(0);
  expect(browsers()).toBe(0);
});

interface Said {
  readonly picture?: string;
  readonly wasm?: string;
  readonly version?: string;
}

test('a publisher chooses the picture of a dapp out of the own canisters that run its newest module', async () => {
  const eve = await someone();
  const id = await pictured(ada);
  const own = await create(eve);
  await install(eve, own, await uploadModule(eve, versions[0] ?? new Uint8Array()));
  expect((await settled(eve, own)).picture).not.toBeNull();
  const empty = await create(ada);
  const texts = { name: 'Book', git_url: 'https://example.org/a/b', description: 'A book', version: '1.0.0' };
  const submit = (picture: string) =>
    ada.request('POST', '/marketplace/submit', { ...texts, wasm: first, picture });
  for (const of of [own, 'aaaaa-aa', empty]) {
    expect(await submit(of)).toMatchObject({ status: 404, body: { message: 'Picture not found.' } });
  }
  const choices = await ada.call<{ canister_id: string }[]>('GET', `/marketplace/pictures/${first}`);
  const offered = choices.map(({ canister_id: canister }) => canister);
  expect(offered).toContain(id);
  expect(offered).not.toContain(own);
  expect(await ada.call('GET', `/marketplace/pictures/${silent}`)).toEqual([]);

  const submitted = await submit(id);
  expect(submitted.status).toBe(200);
  const dapp = (submitted.body as { data: string }).data;
  const seen = async (): Promise<DappAnswer> => {
    const list = await eve.call<DappAnswer[]>('GET', '/marketplace/?limit=5&search=book');
    const one = await eve.call<DappAnswer>('GET', `/marketplace/${dapp}`);
    expect(list.find((each) => each.id === dapp)).toEqual(one);
    return one;
  };
  const update = (said: Said) => ada.request('POST', `/marketplace/update/${dapp}`, said);
  const { picture: address, picture_of: of } = await seen();
  expect(of).toBe(first);
  const answer = await fetch(address ?? '');
  expect(answer.headers.get('content-type')).toBe('image/jpeg');
  expect(answer.headers.get('content-security-policy')).toBe("default-src 'none'; sandbox");
  const { picture: original } = await pictureOf(ada, id);
  const bytes = Buffer.from(await answer.arrayBuffer());
  expect(bytes.equals(Buffer.from(await (await fetch(original ?? '')).arrayBuffer()))).toBe(true);

  // Whose instance it is, and what that shows, is its owner's alone.
  const visitor = await create(eve);
  const headers = { 'code-origin': `dapp ${dapp}` };
  const installed = { canister_id: visitor, identifier: first, mode: 'install' };
  expect((await eve.request('POST', '/canister/install', installed, headers)).status).toBe(200);
  const taken = (await settled(eve, visitor)).picture;
  expect(taken).not.toBeNull();
  const instances = await eve.call<DappInstance[]>('GET', '/marketplace/instances');
  expect(instances.find(({ canister_id: canister }) => canister === visitor)?.picture).toBe(taken);
  expect((await eve.request('POST', `/marketplace/update/${dapp}`, { picture: visitor })).status).toBe(404);

  // A new version keeps the picture, which then is of the one before; only the newest gives another.
  expect((await update({ wasm: second, version: '1.1.0', picture: id })).status).toBe(400);
  expect(await seen()).toMatchObject({ wasm: first, picture: address });
  expect((await update({ wasm: second, version: '1.1.0' })).status).toBe(200);
  expect(await seen()).toMatchObject({ wasm: second, picture: address, picture_of: first });
  expect((await update({ picture: id })).status).toBe(400);
  await install(ada, id, second, 'upgrade');
  expect((await settled(ada, id)).picture).not.toBeNull();
  expect((await update({ picture: id })).status).toBe(200);
  const newer = await seen();
  expect(newer.picture_of).toBe(second);

  // What a dapp has is a copy.
  await ada.call('POST', '/canister/stop', { canister_id: id });
  await ada.call('POST', '/canister/delete', { canister_id: id });
  expect((await fetch(newer.picture ?? '')).status).toBe(200);
  expect((await update({ picture: id })).status).toBe(404);
  expect((await update({ picture: '' })).status).toBe(200);
  expect(await seen()).toMatchObject({ picture: null, picture_of: null });
  expect((await fetch(newer.picture ?? '')).status).toBe(404);

  // One that leaves the marketplace takes its picture with it.
  const book = await pictured(ada);
  const { data } = (
    await ada.request('POST', '/marketplace/submit', { ...texts, wasm: first, picture: book })
  ).body as { data: string };
  const { picture: short } = await ada.call<DappAnswer>('GET', `/marketplace/${data}`);
  expect((await fetch(short ?? '')).status).toBe(200);
  await ada.call('POST', `/marketplace/delete/${data}`);
  expect((await fetch(short ?? '')).status).toBe(404);
  expect((await rows.query('select 1 from dapp_pictures where dapp_id = $1', [data])).rowCount).toBe(0);
  expect((await ada.request('POST', `/marketplace/update/${data}`, { picture: book })).status).toBe(404);
});
