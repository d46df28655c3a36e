import { request } from 'node:http';
import type { DeployAnswer, PublicConfig } from '@cannery/contract';
import { type Api, createApi, processes, signIn } from '@cannery/dev-env';
import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { embeddedConnection } from '../../src/db/postgres/embedded-postgres.ts';
import { type DeployClient, startDeployClient } from '../support/deploy-client.ts';

const DOMAINS = 'shop.example.com\nwww.example.com\n';

let client: DeployClient;
let eve: Api;

beforeAll(async () => {
  client = await startDeployClient();
  eve = createApi(client.product.url, await signIn(client.product.url, 'eve'));
}, 120_000);
afterAll(() => client?.dispose());

interface Page {
  readonly shown: string;
  readonly type: string | undefined;
}

/** What a visitor gets at a host below localhost. */
function visit(name: string, path = '/'): Promise<Page> {
  const { port } = new URL(client.product.networkUrl);
  const { promise, resolve, reject } = Promise.withResolvers<Page>();
  const options = { host: '127.0.0.1', port, path, headers: { host: `${name}.localhost:${port}` } };
  request(options, (answer) => {
    answer.toArray().then((chunks) => {
      const body = Buffer.concat(chunks as Buffer[]).toString('latin1');
      const type = answer.headers['content-type'];
      resolve({ shown: answer.statusCode === 200 ? body : String(answer.statusCode), type });
    }, reject);
  })
    .once('error', reject)
    .end();
  return promise;
}

/** Waits until a name is served as it should be: the gateway hears of it within seconds. */
const eventually = (name: string, shown: string): Promise<void> =>
  expect
    .poll(async () => (await visit(name).catch(() => ({ shown: 'away' }))).shown, { timeout: 30_000 })
    .toBe(shown);

type Refusal = { code: string; message: string } & { data: DeployAnswer };
const claim = async (api: Api, id: string, site_name: string): Promise<Refusal & { status: number }> => {
  const { status, body } = await api.request('PATCH', `/deploy/${id}`, { site_name });
  return { status, ...(body as Refusal) };
};
const nameOf = async (api: Api, id: string): Promise<string | null> =>
  (await api.call<DeployAnswer>('GET', `/deploy/${id}`)).site_name;

/** A deploy of a public repository that is never run. */
const idle = async (api: Api, name: string, deploy_type = 'STATIC_SITE'): Promise<string> => {
  const { full_name, repo } = await starter(api);
  const body = { name, branch: 'main', owner: full_name, repo_name: repo, deploy_type, is_public: false };
  return (await api.call<{ id: string }>('POST', '/deploy', body)).id;
};
async function starter(api: Api): Promise<{ full_name: string; repo: string }> {
  const { name, owner } = await api.call<{ name: string; owner: { login: string } }>(
    'POST',
    '/repository/templates/static-site',
    {},
  );
  return { full_name: owner.login, repo: name };
}

let shop: string;
test('a name that was claimed before the first run serves the site, as the host of the canister does', async () => {
  const { site_name_pattern } = await client.ada.call<PublicConfig>('GET', '/config');
  const { port } = new URL(client.product.networkUrl);
  expect(site_name_pattern).toBe(`http://{name}.localhost:${port}/`);
  await client.push('shop', { 'index.html': 'the shop', '.well-known/ic-domains': DOMAINS });
  shop = await client.create('shop', 'STATIC_SITE');
  expect(await nameOf(client.ada, shop)).toBeNull();
  expect((await claim(client.ada, shop, ' Shop ')).data.site_name).toBe('shop');
  expect((await visit('shop')).shown).toBe('404');
  expect((await client.run(shop)).status).toBe('COMPLETED');
  await eventually('shop', 'the shop');
  const { canisters } = await client.ada.call<DeployAnswer>('GET', `/deploy/${shop}`);
  for (const host of ['shop', String(canisters[0])]) {
    const domains = await visit(host, '/.well-known/ic-domains');
    expect(domains).toEqual({ shown: DOMAINS, type: 'text/plain; charset=utf-8' });
  }
  expect(await nameOf(client.ada, shop)).toBe('shop');
  const list = await client.ada.call<DeployAnswer[]>('GET', '/deploy');
  expect(list.map(({ site_name }) => site_name)).toEqual(['shop']);
});

test('names are unique, and what no site may be called is refused with the reason', async () => {
  const hers = await idle(eve, 'hers');
  const taken = { status: 400, code: 'already_exists', message: "The name 'shop' is taken." };
  expect(await claim(eve, hers, 'SHOP')).toMatchObject(taken);
  expect(await claim(client.ada, await idle(client.ada, 'second'), 'shop')).toMatchObject(taken);
  expect((await claim(eve, shop, 'other')).status).toBe(404);
  const { canisters } = await client.ada.call<DeployAnswer>('GET', `/deploy/${shop}`);
  for (const name of ['a', 'a.b', '-ab', 'raw', 'www', 'api', 'xn--abc', String(canisters[0]), '127.0.0.1'])
    expect(await claim(eve, hers, name)).toMatchObject({ status: 400, code: 'invalid_input' });
  const code = await idle(eve, 'code', 'MOTOKO');
  expect(await claim(eve, code, 'free')).toMatchObject({ status: 400, code: 'invalid_input' });
  expect([await nameOf(eve, hers), await nameOf(eve, code)]).toEqual([null, null]);
});

test('of many that claim a name at once one has it', async () => {
  const both = await Promise.all([idle(client.ada, 'x'), idle(eve, 'y')]);
  const claims = Array.from({ length: 12 }, (_, turn) => {
    const [api, id] = turn % 2 === 0 ? [client.ada, both[0]] : [eve, both[1]];
    return claim(api, id, 'wanted');
  });
  const won = (await Promise.all(claims)).flatMap(({ status }, turn) => (status === 200 ? [turn % 2] : []));
  expect(new Set(won).size).toBe(1);
  expect(won).toHaveLength(6);
  expect([await nameOf(client.ada, both[0]), await nameOf(eve, both[1])]).toEqual(
    won[0] === 0 ? ['wanted', null] : [null, 'wanted'],
  );
});

test('a network that is started again is told the names again', async () => {
  const network = processes().find(({ command }) => command.includes(`--data-dir ${client.product.dataDir}`));
  expect(network).toBeDefined();
  process.kill(network?.id ?? 0, 'SIGKILL');
  await eventually('shop', 'the shop');
}, 90_000);

test('another name takes the place of the first, and nobody else gets that for a month', async () => {
  expect((await claim(client.ada, shop, 'market')).data.site_name).toBe('market');
  await eventually('market', 'the shop');
  await eventually('shop', '404');
  const hers = await idle(eve, 'waits');
  expect((await claim(eve, hers, 'shop')).code).toBe('already_exists');
  // Its last user may have it back, for another deploy too.
  const next = await idle(client.ada, 'next');
  expect((await claim(client.ada, next, 'shop')).status).toBe(200);
  expect((await claim(client.ada, next, '')).data.site_name).toBeNull();
  const database = new pg.Client(embeddedConnection(client.product.dataDir));
  await database.connect();
  await database.query("update site_names set released_at = now() - interval '31 days' where name = 'shop'");
  await database.end();
  expect((await claim(eve, hers, 'shop')).data.site_name).toBe('shop');
});

test('a deploy that is deleted lets go of its name, though its canister stays', async () => {
  const { canisters } = await client.ada.call<DeployAnswer>('GET', `/deploy/${shop}`);
  await client.ada.call('DELETE', `/deploy/${shop}?canisters=keep`);
  await eventually('market', '404');
  expect((await visit(String(canisters[0]))).shown).toBe('the shop');
  const last = await idle(client.ada, 'last');
  expect((await claim(eve, await idle(eve, 'after'), 'market')).code).toBe('already_exists');
  expect((await claim(client.ada, last, 'market')).status).toBe(200);
  // It has no website yet.
  expect((await visit('market')).shown).toBe('404');
});

test('a user has twenty names at most, those of the last month included', async () => {
  const id = await idle(eve, 'many');
  const codes: (string | undefined)[] = [];
  for (let turn = 0; turn < 22; turn += 1) codes.push((await claim(eve, id, `name-${turn}`)).code);
  expect(codes.at(-1)).toBe('quota_reached');
  expect(codes.filter((code) => code === undefined).length).toBeLessThanOrEqual(20);
  // What did not come to be leaves the one of before.
  expect(await nameOf(eve, id)).toMatch(/^name-1\d$/);
});
