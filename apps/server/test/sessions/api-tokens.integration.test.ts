import { createHash } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { type ApiToken, type DeployAnswer, MAX_API_TOKENS } from '@cannery/contract';
import { type Api, createApi, signIn } from '@cannery/dev-env';
import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { embeddedConnection } from '../../src/db/postgres/embedded-postgres.ts';
import { ApiClient } from '../support/client.ts';
import { type DeployClient, startDeployClient } from '../support/deploy-client.ts';
import { readStream } from '../support/event-reader.ts';
import { NO_NETWORK, startTestServer } from '../support/server.ts';

type NewToken = ApiToken & { secret: string };

let client: DeployClient;
let database: pg.Client;
/** Two deploys of ada. */
let [site, other] = ['', ''];

beforeAll(async () => {
  client = await startDeployClient({ env: { RATE_LIMIT: '10000' } });
  await client.push('site', { 'index.html': 'site' });
  [site, other] = [await client.create('site', 'STATIC_SITE'), await client.create('site', 'STATIC_SITE')];
  database = new pg.Client(embeddedConnection(client.product.dataDir));
  await database.connect();
});
afterAll(async () => {
  await database?.end();
  await client.dispose();
});

/** A stream whose token is gone ends within this, in milliseconds. */
const STREAM_END_MS = 10_000;
const both = ['deploys:read', 'deploys:run'];

async function create(body: object): Promise<NewToken> {
  return client.ada.call<NewToken>('POST', '/api-tokens', { label: 'Build server', scopes: both, ...body });
}

/** Calls by a token. */
const by = ({ secret }: { secret: string }): Api => createApi(client.product.url, secret);
const statusOf = async (api: Api, method: string, path: string, body?: object): Promise<number> =>
  (await api.request(method, path, body)).status;

test('a token is shown once and kept as a hash; its list is for its user alone', async () => {
  const made = await create({ label: '  Build server  ', expires_in_days: 30, deploy_ids: [site, site] });
  expect(made).toMatchObject({ label: 'Build server', scopes: both, deploy_ids: [site], last_used_at: null });
  expect(made.secret).toMatch(/^cnry_api_[\w-]{43}$/);
  const days = (Date.parse(made.expires_at ?? '') - Date.now()) / 86_400_000;
  expect(days).toBeGreaterThan(29.9);
  expect(days).toBeLessThanOrEqual(30);
  const list = async (api: Api) => api.call<ApiToken[]>('GET', '/api-tokens');
  const { secret, ...shown } = made;
  expect(await list(client.ada)).toEqual([shown]);
  const { rows } = await database.query('select t::text as row from api_tokens t');
  expect(rows[0].row).toContain(createHash('sha256').update(secret).digest('hex'));
  expect(rows[0].row).not.toContain(secret);

  expect(await statusOf(by(made), 'GET', `/deploy/${site}`)).toBe(200);
  const [used] = await list(client.ada);
  expect(Date.now() - Date.parse(used?.last_used_at ?? '')).toBeLessThan(10_000);

  const eve = createApi(client.product.url, await signIn(client.product.url, 'eve'));
  expect(await list(eve)).toEqual([]);
  expect(await statusOf(eve, 'DELETE', `/api-tokens/${made.id}`)).toBe(404);
  const theft = { label: 'x', scopes: both, deploy_ids: [site] };
  expect(await statusOf(eve, 'POST', '/api-tokens', theft)).toBe(404);
  expect(await statusOf(client.ada, 'DELETE', `/api-tokens/${made.id}`)).toBe(200);
});

test('a token does what its scopes say and no more', async () => {
  const [reader, runner] = [
    by(await create({ scopes: ['deploys:read'] })),
    by(await create({ scopes: ['deploys:run'] })),
  ];
  const run = await client.run(site);
  const path = `/deploy/${site}/instances/${run.id}`;
  for (const read of ['/deploy', `/deploy/${site}`, `/deploy/${site}/instances`, path, `${path}/log`]) {
    const answer = await fetch(`${client.product.url}/api${read}`, {
      headers: { authorization: `Bearer ${reader.token}` },
    });
    expect(answer.status, read).toBe(200);
    await answer.body?.cancel();
    expect(await runner.request('GET', read), read).toMatchObject({
      status: 403,
      body: { code: 'not_allowed', error: 'This API token lacks the scope deploys:read.' },
    });
  }
  for (const change of [`/deploy/${site}/trigger`, `${path}/rollback`, `${path}/cancel`]) {
    expect(await reader.request('POST', change), change).toMatchObject({
      status: 403,
      body: { error: 'This API token lacks the scope deploys:run.', detail: 'Its scopes are: deploys:read.' },
    });
  }
  const started = await runner.call<{ id: string }>('POST', `/deploy/${site}/trigger`);
  expect((await client.finished(site, started.id)).status).toBe('COMPLETED');
  const back = await runner.call<{ id: string }>('POST', `${path}/rollback`);
  expect(await client.finished(site, back.id)).toMatchObject({ status: 'COMPLETED', rollback_of: run.id });
  expect(await client.instance(site, run.id)).toMatchObject({ logs: expect.stringContaining('Publishing') });
  expect(await runner.call('POST', `${path}/cancel`)).toMatchObject({ status: 'COMPLETED', logs: null });
});

test('a token that is limited to a deploy sees and runs no other one', async () => {
  const limited = by(await create({ deploy_ids: [site] }));
  const shown = await limited.call<DeployAnswer[]>('GET', '/deploy');
  expect(shown.map(({ id }) => id)).toEqual([site]);
  expect(await client.ada.call<DeployAnswer[]>('GET', '/deploy')).toHaveLength(2);
  const run = await client.run(other);
  const missing = await limited.request('GET', '/deploy/00000000-0000-4000-8000-000000000000');
  expect(missing.status).toBe(404);
  const paths = [`/deploy/${other}`, `/deploy/${other}/instances/${run.id}/log`];
  for (const path of paths) expect(await limited.request('GET', path), path).toEqual(missing);
  expect(await limited.request('POST', `/deploy/${other}/trigger`)).toEqual(missing);
  // A run of another deploy below the path of its own.
  expect(await statusOf(limited, 'GET', `/deploy/${site}/instances/${run.id}`)).toBe(404);
  expect(await statusOf(limited, 'POST', `/deploy/${site}/instances/${run.id}/rollback`)).toBe(404);
  expect(await statusOf(limited, 'GET', `/deploy/${site}`)).toBe(200);

  // The limit stays when the deploy goes.
  await database.query('delete from deploys where id = $1', [site]);
  expect(await limited.call('GET', '/deploy')).toEqual([]);
  site = await client.create('site', 'STATIC_SITE');
  expect(await limited.call('GET', '/deploy')).toEqual([]);
});

test('a token opens nothing else: no session, no git, no tokens', async () => {
  const token = await create({});
  const api = by(token);
  for (const [method, path] of [
    ['GET', '/user/profile'],
    ['GET', '/canister/list/'],
    ['GET', '/repository/tokens'],
    ['GET', '/api-tokens'],
    ['POST', '/api-tokens'],
    ['DELETE', `/api-tokens/${token.id}`],
    ['DELETE', '/session'],
    ['POST', '/deploy'],
    ['PATCH', `/deploy/${site}`],
    ['GET', '/repository/account'],
    ['GET', '/repository/content/ada/site'],
  ] as const) {
    const body = method === 'GET' ? undefined : { label: 'x', scopes: both };
    expect(await api.request(method, path, body), path).toMatchObject({
      status: 403,
      body: { error: 'API tokens cannot make this call; it needs a session.' },
    });
  }
  const before = (await database.query('select token_hash from sessions order by 1')).rows;
  expect(await statusOf(api, 'POST', '/auth/logout', {})).toBe(200);
  expect(await statusOf(api, 'POST', '/auth/exchange', { token: token.secret })).toBe(401);
  expect((await database.query('select token_hash from sessions order by 1')).rows).toEqual(before);
  expect(await statusOf(api, 'GET', '/deploy')).toBe(200);
  const git = `${client.product.url}/ada/site.git/info/refs?service=git-receive-pack`;
  const basic = `Basic ${Buffer.from(`ada:${token.secret}`).toString('base64')}`;
  expect((await fetch(git, { headers: { authorization: basic } })).status).toBe(401);
});

test('a token that is deleted or has expired is refused like a session that is over', async () => {
  const over = await createApi(client.product.url, 'no-such-session').request('GET', '/deploy');
  expect(over.status).toBe(401);
  const [deleted, expired] = [await create({}), await create({ expires_in_days: 365 })];
  expect(await statusOf(by(expired), 'GET', '/deploy')).toBe(200);
  await client.ada.call('DELETE', `/api-tokens/${deleted.id}`);
  await database.query("update api_tokens set expires_at = now() - interval '1 s' where id = $1", [
    expired.id,
  ]);
  for (const token of [deleted, expired]) {
    expect(await by(token).request('GET', '/deploy')).toEqual(over);
    expect(await by(token).request('GET', '/user/profile')).toEqual(over);
  }
  // The list still says which token it was.
  const listed = await client.ada.call<ApiToken[]>('GET', '/api-tokens');
  expect(listed.map(({ id }) => id)).toContain(expired.id);
  expect(listed.map(({ id }) => id)).not.toContain(deleted.id);
});

test('a stream ends when its token is deleted or expires', async () => {
  const slow = await client.create('site', 'STATIC_SITE', {
    build_command: 'for n in $(seq 600); do echo $n; sleep 0.1; done',
  });
  const run = { id: slow, instanceId: await client.trigger(slow) };
  const ends: Record<string, (token: NewToken) => Promise<unknown>> = {
    deleted: ({ id }) => client.ada.call('DELETE', `/api-tokens/${id}`),
    expired: ({ id }) => database.query('update api_tokens set expires_at = now() where id = $1', [id]),
  };
  for (const [how, end] of Object.entries(ends)) {
    const token = await create({ scopes: ['deploys:read'], deploy_ids: [slow] });
    const stream = await readStream(client.product, { token: token.secret }, run);
    expect(stream.status).toBe(200);
    while (stream.lines.length < 3) await delay(20);
    await end(token);
    // The run goes on for a minute, so that nothing else ends the stream; a busy machine takes its time.
    const isOver = stream.over.then(() => true);
    expect(await Promise.race([isOver, delay(STREAM_END_MS, false)]), how).toBe(true);
    expect(stream.end, how).toBeUndefined();
  }
  const still = await readStream(client.product, client.ada, run);
  await client.ada.call('POST', `/deploy/${slow}/instances/${run.instanceId}/cancel`);
  await still.over;
  expect(still.end).toEqual({ status: 'FAILED' });
});

test('what a token is called, what it may do, and how many there are have bounds', async () => {
  const cleo = createApi(client.product.url, await signIn(client.product.url, 'cleo'));
  const refused = [
    { label: 'x'.repeat(101), scopes: both },
    { label: '   ', scopes: both },
    { label: 'x', scopes: [] },
    { label: 'x', scopes: ['deploys:read', 'deploys:run', 'deploys:read'] },
    { label: 'x', scopes: ['canisters:delete'] },
    { label: 'x', scopes: both, expires_in_days: 36_500 },
    { label: 'x', scopes: both, deploy_ids: [] },
    { label: 'x', scopes: both, deploy_ids: Array.from({ length: 51 }, () => site) },
  ];
  for (const body of refused)
    expect(await statusOf(cleo, 'POST', '/api-tokens', body), JSON.stringify(body)).toBe(400);
  const made = await Promise.all(
    Array.from({ length: MAX_API_TOKENS + 5 }, () =>
      cleo.request('POST', '/api-tokens', { label: 'x', scopes: both }),
    ),
  );
  expect(made.filter(({ status }) => status === 200)).toHaveLength(MAX_API_TOKENS);
  expect(made.find(({ status }) => status !== 200)?.body).toMatchObject({ code: 'quota_reached' });
});

test('a call that a token may not make is no wrong credential; a token goes with its user', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'cannery-tokens-'));
  // A user without a balance has no history, and can be deleted.
  const server = await startTestServer({
    DATA_DIR: folder,
    SIGN_IN_LIMIT: 40,
    OPENING_BALANCE_T: 0,
    IC_URL: NO_NETWORK,
  });
  const db = new pg.Client(embeddedConnection(folder));
  try {
    await db.connect();
    const ada = await ApiClient.signIn(server.url, 'ada');
    const make = async (): Promise<ApiClient> => {
      const { body } = await ada.post('/api-tokens', { label: 'x', scopes: ['deploys:run'] });
      return new ApiClient(server.url, String(body.secret));
    };
    const [careless, unused] = [await make(), await make()];
    for (let call = 0; call < 60; call++) expect((await careless.get('/user/profile')).status).toBe(403);
    expect((await unused.get('/deploy')).status).toBe(403);
    await db.query('delete from users');
    expect((await unused.get('/deploy')).status).toBe(401);
    expect((await db.query('select * from api_tokens')).rows).toEqual([]);
  } finally {
    await db.end();
    await server.close();
    rmSync(folder, { recursive: true, force: true });
  }
});
