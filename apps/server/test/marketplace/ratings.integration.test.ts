import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { marketplaceEndpoints } from '@cannery/contract';
import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { embeddedConnection } from '../../src/db/postgres/embedded-postgres.ts';
import type { RunningServer } from '../../src/start-server.ts';
import { newModule } from '../authorisation/matrix-world.ts';
import { type Answer, ApiClient } from '../support/client.ts';
import { startTestServer } from '../support/server.ts';
import { OriginWorld } from './origin-world.ts';

let dataDir: string;
let server: RunningServer;
let rows: pg.Client;
let world: OriginWorld;
let ada: ApiClient;
let eve: ApiClient;
beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'cannery-ratings-'));
  server = await startTestServer({ DATA_DIR: dataDir, OPENING_BALANCE_T: '1000' });
  world = new OriginWorld(server);
  rows = new pg.Client(embeddedConnection(dataDir));
  await rows.connect();
  ada = await ApiClient.signIn(server.url, 'ada');
  eve = await ApiClient.signIn(server.url, 'eve');
});
afterAll(async () => {
  await rows.end();
  await server.close();
  await rm(dataDir, { recursive: true, force: true });
});

interface Offered {
  readonly dapp: string;
  readonly wasm: string;
}

/** A new dapp of ada's. */
async function offered(): Promise<Offered> {
  const wasm = await ada.uploadWasm(newModule());
  return { dapp: await world.submit(ada, 'Counter', wasm), wasm };
}

async function installedBy(client: ApiClient, { dapp, wasm }: Offered): Promise<string> {
  const canister = await client.create('Mine');
  await world.install(client, canister, wasm, `dapp ${dapp}`);
  return canister;
}

const rate = (client: ApiClient, { dapp }: Offered, stars: unknown): Promise<Answer> =>
  client.post(`/marketplace/rating/${dapp}`, { stars });
const own = async (client: ApiClient, { dapp }: Offered) =>
  marketplaceEndpoints.rating.response.strict().parse((await client.get(`/marketplace/rating/${dapp}`)).body);
/** Average and number, as everybody sees them. */
async function shown({ dapp }: Offered): Promise<readonly [unknown, unknown]> {
  const { rating, ratings } = (await eve.get(`/marketplace/${dapp}`)).body;
  return [rating, ratings];
}

test('[OP-36] [MKT-02] who has an instance rates, changes and withdraws; average and number are in every list', async () => {
  const bob = await ApiClient.signIn(server.url, 'bob');
  const thing = await offered();
  expect([await shown(thing), await own(eve, thing)]).toEqual([[0, 0], { stars: null, may_rate: false }]);
  const refused = await rate(eve, thing, 5);
  expect([refused.status, refused.body.code]).toEqual([404, 'not_found']);
  await installedBy(eve, thing);
  await installedBy(bob, thing);
  expect(await own(eve, thing)).toEqual({ stars: null, may_rate: true });
  for (const stars of [2, 2, 5]) expect((await rate(eve, thing, stars)).status).toBe(200);
  expect(await shown(thing)).toEqual([5, 1]);
  await rate(bob, thing, 4);
  expect(await shown(thing)).toEqual([4.5, 2]);
  for (const query of ['', '?limit=5', '?limit=5&sort=rating', '?sort=name', '?limit=5&search=counter+ada']) {
    const listed = (await bob.list(`/marketplace/${query}`)).find(({ id }) => id === thing.dapp);
    expect([listed?.rating, listed?.ratings], query).toEqual([4.5, 2]);
  }
  expect(await own(eve, thing)).toEqual({ stars: 5, may_rate: true });
  expect((await rate(eve, thing, null)).status).toBe(200);
  expect(await own(eve, thing)).toEqual({ stars: null, may_rate: true });
  expect(await shown(thing)).toEqual([4, 1]);
  await rate(bob, thing, null);
  expect(await shown(thing)).toEqual([0, 0]);
});

test('[OP-36] publishers do not rate what is theirs, though they have an instance', async () => {
  const thing = await offered();
  await installedBy(ada, thing);
  expect(await own(ada, thing)).toEqual({ stars: null, may_rate: false });
  expect((await rate(ada, thing, 5)).status).toBe(404);
  expect(await shown(thing)).toEqual([0, 0]);
});

test('[OP-36] the same bytes from elsewhere, code of others and another dapp give no right to rate', async () => {
  const thing = await offered();
  const canister = await eve.create('By hand');
  await world.install(eve, canister, thing.wasm);
  expect((await rate(eve, thing, 1)).status, 'nobody has said where the code is from').toBe(404);
  await installedBy(eve, await offered());
  expect((await rate(eve, thing, 1)).status, 'another dapp').toBe(404);
  const instance = await installedBy(eve, thing);
  expect((await rate(eve, thing, 1)).status).toBe(200);
  await (await world.outside(eve, instance)).put(newModule());
  await world.origin(eve, instance);
  expect((await rate(eve, thing, 5)).status, 'its code was replaced').toBe(404);
  expect(await shown(thing)).toEqual([1, 1]);
});

test('[OP-36] a rating outlives its instance: it stays as it is, and can be withdrawn', async () => {
  const thing = await offered();
  const instance = await installedBy(eve, thing);
  expect((await rate(eve, thing, 2)).status).toBe(200);
  expect((await own(eve, thing)).may_rate).toBe(true);
  await world.ok(eve, '/canister/stop', { canister_id: instance });
  await world.ok(eve, '/canister/delete', { canister_id: instance });
  // What was read before does not count.
  expect((await rate(eve, thing, 5)).status).toBe(404);
  expect([await own(eve, thing), await shown(thing)]).toEqual([{ stars: 2, may_rate: false }, [2, 1]]);
  expect((await rate(eve, thing, null)).status).toBe(200);
  expect([await own(eve, thing), await shown(thing)]).toEqual([{ stars: null, may_rate: false }, [0, 0]]);
});

test('[OP-36] a dapp that left the marketplace is not rated; what was rated can be taken back', async () => {
  const thing = await offered();
  await installedBy(eve, thing);
  await rate(eve, thing, 4);
  await world.ok(ada, `/marketplace/delete/${thing.dapp}`, {});
  expect((await rate(eve, thing, 5)).status).toBe(404);
  expect((await eve.get(`/marketplace/rating/${thing.dapp}`)).status).toBe(404);
  expect((await rate(eve, thing, null)).status).toBe(200);
  const kept = await rows.query('select 1 from dapp_ratings where dapp_id = $1', [thing.dapp]);
  expect(kept.rowCount).toBe(0);
});

test.each([0, 6, 2.5, '5', true, undefined, -1])('[OP-36] %s is no rating', async (stars) => {
  const thing = await offered();
  await installedBy(eve, thing);
  expect((await rate(eve, thing, stars)).status).toBe(400);
  expect(await shown(thing)).toEqual([0, 0]);
});

test('[OP-36] average and number are those of the ratings, however many users rate at once', async () => {
  const thing = await offered();
  const users = await Promise.all(
    ['u1', 'u2', 'u3', 'u4', 'u5'].map((name) => ApiClient.signIn(server.url, name)),
  );
  for (const user of users) await installedBy(user, thing);
  const all = users.flatMap((user, place) =>
    [1, null, 5, 3, null, place + 1].map((stars) => rate(user, thing, stars)),
  );
  for (const { status } of await Promise.all(all)) expect(status).toBe(200);
  const counted = async (): Promise<unknown> => {
    const { rows: found } = await rows.query(
      `select coalesce(avg(stars), 0)::float8 as rating, count(*)::int as ratings, count(distinct user_id)::int as users
       from dapp_ratings where dapp_id = $1`,
      [thing.dapp],
    );
    expect(found[0].users).toBe(found[0].ratings);
    return [found[0].rating, found[0].ratings];
  };
  expect(await shown(thing)).toEqual(await counted());
  await Promise.all(users.map((user, place) => rate(user, thing, place + 1)));
  expect(await shown(thing)).toEqual([3, 5]);
});

test('[OP-36] with a user go the ratings of that user, and with a dapp all of its', async () => {
  const thing = await offered();
  const gone = ['gone-1', 'gone-2', 'gone-3'];
  for (const [place, name] of gone.entries()) {
    await rows.query(
      `insert into users (id, issuer, subject, username, name) values ($1, 'test', $1, $1, $1)`,
      [name],
    );
    await rows.query('insert into dapp_ratings (dapp_id, user_id, stars) values ($1, $2, $3)', [
      thing.dapp,
      name,
      place + 3,
    ]);
  }
  expect(await shown(thing)).toEqual([4, 3]);
  await rows.query(`delete from users where id = 'gone-3'`);
  expect(await shown(thing)).toEqual([3.5, 2]);
  await rows.query('delete from dapps where id = $1', [thing.dapp]);
  const left = await rows.query('select 1 from dapp_ratings where dapp_id = $1', [thing.dapp]);
  expect(left.rowCount).toBe(0);
});
