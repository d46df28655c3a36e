import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { CanisterCallOutcome, DeployAnswer } from '@cannery/contract';
import { type Api, createApi, git } from '@cannery/dev-env';
import { type DeployWork, uploadModule } from '../support/deploy-client.ts';
import { moduleOf } from '../support/modules.ts';

/** What of the world of a release is asked for by name, and secrets that must still open what they opened. */
export interface ReleaseKeys {
  readonly site: string;
  readonly counter: string;
  /** The canister of the counter. */
  readonly counting: string;
  readonly registry: string;
  readonly dapp: string;
  /** Opens ada's repositories to git. */
  readonly gitToken: string;
  /** Opens the API to a program, as long as it has not been ended. */
  readonly apiToken: string;
}

/** A release as it is kept: the version of it, its keys, and what it answered. */
export interface ReleaseRecord {
  readonly version: string;
  readonly keys: ReleaseKeys;
  readonly facts: Readonly<Record<string, unknown>>;
}

const COUNTER = `persistent actor {
  var count : Nat = 0;
  public func inc() : async Nat { count += 1; count };
  public query func value() : async Nat { count };
}`;

/** How the site shows that a secret of its settings is still known. */
const BUILD = 'printf %s "$TOKEN" | sha256sum > hash.txt';

/** Fills a new product with one thing of each kind that it keeps. */
export async function fillWorld(client: DeployWork): Promise<ReleaseKeys> {
  const { ada } = client;
  await client.push('pages', { 'index.html': 'peaches', 'docs/guide.html': 'plums' });
  const site = await client.create('pages', 'STATIC_SITE', { build_command: BUILD });
  const variables = [{ name: 'TOKEN', value: 'tok-5f0c-11a9', secret: true }];
  await ada.call('PATCH', `/deploy/${site}`, { variables });
  for (const text of ['peaches', 'more peaches']) {
    await client.push('pages', { 'index.html': text, 'docs/guide.html': 'plums' });
    await mustComplete(client, site);
  }
  await client.push('counter', { 'main.mo': COUNTER });
  const counter = await client.create('counter', 'MOTOKO');
  await mustComplete(client, counter);
  const [counting = ''] = (await ada.call<DeployAnswer>('GET', `/deploy/${counter}`)).canisters;
  for (let time = 0; time < 3; time += 1) await call(ada, counting, 'inc', false);
  await ada.call('POST', '/canister/stop', { canister_id: counting });
  await ada.call('POST', '/canister/snapshot/take', { canister_id: counting });
  await ada.call('POST', '/canister/start', { canister_id: counting });

  const module = await uploadModule(ada, moduleOf({ exports: ['canister_query hello'] }));
  const registry = (
    await ada.call<{ data: string }>('POST', '/registry/add', { name: 'Shop', identifier: module })
  ).data;
  const texts = { git_url: 'https://example.org/ada/shop', description: 'A shop', version: '1.0.0' };
  const dapp = (
    await ada.call<{ data: string }>('POST', '/marketplace/submit', { name: 'Shop', wasm: module, ...texts })
  ).data;
  const { data } = await ada.call<{ data: { canister_id: string } }>('POST', '/canister/create', {
    name: 'Instance',
  });
  await ada.request(
    'POST',
    '/canister/install',
    { canister_id: data.canister_id, identifier: module, mode: 'install' },
    { 'code-origin': `dapp ${dapp}` },
  );
  await ada.call('POST', '/canister/topup', { canister_id: data.canister_id, amount: 0.5 });
  await ada.call('POST', '/canister/tags', { canister_id: data.canister_id, add_tags: ['shop'] });
  const gitToken = (await ada.call<{ secret: string }>('POST', '/repository/tokens', { label: 'kept' }))
    .secret;
  const apiToken = (
    await ada.call<{ secret: string }>('POST', '/api-tokens', { label: 'kept', scopes: ['deploys:read'] })
  ).secret;
  return { site, counter, counting, registry, dapp, gitToken, apiToken };
}

/** Figures that change by themselves, and moments at which somebody looked. */
const PASSING = new Set([
  'cycles',
  'cycles_exact',
  'days_until_freezing',
  'as_of',
  'freezing_limit',
  'idle_cycles_burned_per_day',
  'last_used_at',
  'memory',
  'query_stats',
  'total_cycles',
  'total_cycles_exact',
  'updated_at',
]);

/** What a product answers of the world, without what depends on its addresses and on the time. */
export async function lookAt(client: DeployWork, keys: ReleaseKeys): Promise<ReleaseRecord['facts']> {
  const { ada, product } = client;
  const paths = [
    '/user/profile',
    '/transactions/',
    '/canister/list/',
    `/canister/details/${keys.counting}`,
    `/canister/history/${keys.counting}`,
    `/canister/snapshots/${keys.counting}`,
    '/registry/',
    `/registry/${keys.registry}`,
    '/marketplace/',
    `/marketplace/versions/${keys.dapp}`,
    '/marketplace/instances',
    '/repository/content/ada/pages',
    '/deploy',
    `/deploy/${keys.site}`,
    `/deploy/${keys.site}/instances`,
    `/deploy/${keys.counter}/instances`,
  ];
  const facts: Record<string, unknown> = {};
  for (const path of paths) facts[path] = stay(await ada.call('GET', path), product);
  const pages = await Promise.all(
    ['/', '/docs/guide', '/hash.txt'].map((path) => client.page(keys.site, path)),
  );
  return {
    ...facts,
    // The newest first, and those of a restored backup are all of one moment.
    repositories: (await ada.call<{ name: string }[]>('GET', '/deploy/repos'))
      .map(({ name }) => name)
      .toSorted(),
    pages: pages.map(({ text }) => text),
    count: await call(ada, keys.counting, 'value', true),
    refs: await refs(product, keys.gitToken),
    'token of the API': stay(await createApi(product.url, keys.apiToken).call('GET', '/deploy'), product),
  };
}

/** That everything goes on from there: calls, builds with the secret, and the way back to a run that was kept. */
export async function goOn(client: DeployWork, keys: ReleaseKeys): Promise<Record<string, unknown>> {
  const { ada } = client;
  await call(ada, keys.counting, 'inc', false);
  await client.push('pages', { 'index.html': 'pears' });
  await mustComplete(client, keys.site);
  const [after, hash] = [await client.page(keys.site), await client.page(keys.site, '/hash.txt')];
  const { data } = await ada.call<{ data: { id: string; status: string }[] }>(
    'GET',
    `/deploy/${keys.site}/instances`,
  );
  const run = await ada.call<{ id: string }>(
    'POST',
    `/deploy/${keys.site}/instances/${data.at(-1)?.id}/rollback`,
    {},
  );
  const back = await client.finished(keys.site, run.id);
  return {
    count: await call(ada, keys.counting, 'value', true),
    page: after.text,
    hash: hash.text,
    back: back.status,
    first: (await client.page(keys.site)).text,
  };
}

async function mustComplete(client: DeployWork, id: string): Promise<void> {
  const { status, logs } = await client.run(id);
  if (status !== 'COMPLETED') throw new Error(`The run ended as ${status}:\n${logs}`);
}

/** The reply of a method without arguments, in hexadecimal. */
async function call(api: Api, canister: string, method: string, isQuery: boolean): Promise<string> {
  const body = { canister_id: canister, method, as_query: isQuery };
  const outcome = await api.call<CanisterCallOutcome>('POST', '/canister/call', body);
  if (outcome.status !== 'replied') throw new Error(`${method} was not answered: ${JSON.stringify(outcome)}`);
  return outcome.reply_hex;
}

/** Branches and tags of the site's repository, as git hears them with a token of before. */
async function refs(product: DeployWork['product'], token: string): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'cannery-refs-'));
  const remote = new URL('/ada/pages.git', product.url);
  remote.username = 'ada';
  remote.password = token;
  try {
    return await git(['ls-remote', remote.href], folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** An answer without what passes; addresses of the product have no port that changes. */
function stay(answer: unknown, product: DeployWork['product']): unknown {
  const places = [
    [new URL(product.url).port, 'PORT'],
    [new URL(product.networkUrl).port, 'NETWORK_PORT'],
  ] as const;
  const text = JSON.stringify(answer, (key, value: unknown) => (PASSING.has(key) ? undefined : value));
  return JSON.parse(places.reduce((all, [port, name]) => all.replaceAll(`:${port}`, `:${name}`), text));
}
