import type { DeployAnswer, DeployInstanceAnswer } from '@cannery/contract';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type DeployClient, startDeployClient } from '../support/deploy-client.ts';

let client: DeployClient;

beforeAll(async () => {
  client = await startDeployClient();
}, 120_000);
afterAll(() => client?.dispose());

/** A page with the bindings that its build has found, two canisters behind it, and one that has nothing to do with them. */
const shop = (version: string): Record<string, string> => ({
  'dfx.json': JSON.stringify({
    canisters: {
      page: { type: 'assets', source: ['dist'], dependencies: ['till'], build: ['node build.mjs'] },
      till: { main: 'till.mo' },
      stock: { main: 'stock.mo' },
      blog: { main: 'blog.mo' },
    },
  }),
  'till.mo': `import Stock "canister:stock"; persistent actor {
    public query func version() : async Text { "${version}" };
    public func left() : async Nat { await Stock.left() } }`,
  'stock.mo': 'persistent actor { public query func left() : async Nat { 3 } }',
  'blog.mo': 'persistent actor { public query func posts() : async Nat { 0 } }',
  'build.mjs': `import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
mkdirSync('dist');
writeFileSync('dist/index.html', '${version} ' + process.env.CANISTER_ID_TILL + ' ' + process.env.CANISTER_ID_BLOG +
  readFileSync('src/declarations/till/till.did.js', 'utf8'));`,
});

async function startPart(id: string, canisters: string[]): Promise<string> {
  return (await client.ada.call<{ id: string }>('POST', `/deploy/${id}/trigger`, { canisters })).id;
}

async function runPart(id: string, canisters: string[]): Promise<DeployInstanceAnswer> {
  return client.finished(id, await startPart(id, canisters));
}

/** Ids of the deploy's canisters by their names in the project. */
async function idsOf(id: string): Promise<Record<string, string>> {
  const { parts } = await client.ada.call<DeployAnswer>('GET', `/deploy/${id}`);
  return Object.fromEntries(parts.map(({ name, canister_id }) => [name ?? '', canister_id]));
}

async function hashOf(canisterId: string | undefined): Promise<string | null> {
  const { module_hash } = await client.ada.call<{ module_hash: string | null }>(
    'GET',
    `/canister/details/${canisterId}`,
  );
  return module_hash;
}

async function pageOf(canisterId: string | undefined): Promise<string> {
  return (await fetch(`${client.product.networkUrl}/?canisterId=${canisterId}`)).text();
}

const publishedBy = ({ artifacts }: DeployInstanceAnswer): string[] =>
  (artifacts ?? []).map(({ name }) => name).sort();

test('a part of a project goes live alone, with what it needs; what is live already stays as it is', async () => {
  await client.push('shop', shop('one'));
  const id = await client.create('shop', 'CUSTOM');

  // Nothing is live: the page brings the till, which imports the stock. The blog is neither created nor paid for.
  const first = await runPart(id, ['page']);
  expect(first.status, first.logs ?? '').toBe('COMPLETED');
  expect(first.chosen_canisters).toEqual(['page']);
  expect(first.logs).toContain('Only a part of the project is deployed: page.');
  expect(first.logs).toContain('Also deployed, as needed and not live yet: till, stock.');
  expect(first.logs).toContain('3 of 3 canisters are new and will be created for 6 T cycles.');
  const ids = await idsOf(id);
  expect(Object.keys(ids).sort()).toEqual(['page', 'stock', 'till']);
  expect(await pageOf(ids['page'])).toContain(`one ${ids['till']} undefined`);

  // Everything changes, and only the page is deployed.
  await client.push('shop', shop('two'));
  const tillBefore = await hashOf(ids['till']);
  const second = await runPart(id, ['page']);
  expect(second.status, second.logs ?? '').toBe('COMPLETED');
  expect(publishedBy(second)).toEqual(['page']);
  expect(await pageOf(ids['page'])).toContain('two ');
  // Its build has had the bindings of the till all the same.
  expect(await pageOf(ids['page'])).toContain("'version'");
  expect(await hashOf(ids['till'])).toBe(tillBefore);
  expect(await idsOf(id)).toEqual(ids);

  // The till alone, which imports the stock; it still knows the ids of those that stay.
  const third = await runPart(id, ['till']);
  expect(third.status, third.logs ?? '').toBe('COMPLETED');
  expect(publishedBy(third)).toEqual(['till']);
  expect(await hashOf(ids['till'])).not.toBe(tillBefore);
  expect(third.logs).not.toContain('Settings of');

  // Two of three: each is still told of the one that stays.
  const both = await runPart(id, ['page', 'till']);
  expect(both.status, both.logs ?? '').toBe('COMPLETED');
  expect(both.logs).not.toContain('Settings of');
  const { settings } = await client.ada.call<{
    settings: { environment_variables: { name: string; value: string }[] };
  }>('GET', `/canister/details/${ids['till']}`);
  expect(settings.environment_variables).toContainEqual({
    name: 'PUBLIC_CANISTER_ID:stock',
    value: ids['stock'],
  });

  // The whole project again: now the blog comes.
  const whole = await client.run(id);
  expect(whole.status, whole.logs ?? '').toBe('COMPLETED');
  expect(whole.chosen_canisters).toBeNull();
  expect(Object.keys(await idsOf(id)).sort()).toEqual(['blog', 'page', 'stock', 'till']);

  // A rollback to the run of a part publishes that part.
  const back = await client.ada.call<{ id: string }>('POST', `/deploy/${id}/instances/${first.id}/rollback`);
  const rolled = await client.finished(id, back.id);
  expect(rolled.status, rolled.logs ?? '').toBe('COMPLETED');
  expect(rolled.chosen_canisters).toEqual(['page']);
  expect(await pageOf(ids['page'])).toContain('one ');
  expect(await hashOf(ids['till'])).toBe(tillBefore);
}, 240_000);

test('a name that the project does not have fails the run before anything is created', async () => {
  await client.push('unknown', shop('one'));
  const id = await client.create('unknown', 'CUSTOM');
  const run = await runPart(id, ['till', 'shelf']);
  expect(run.status).toBe('FAILED');
  expect(run.logs?.split('\n').at(-1)).toBe(
    "Failed: The project has no canister 'shelf' to deploy alone. It has: page, till, stock, blog.",
  );
  expect(await idsOf(id)).toEqual({});
  // A website is not a part of a deploy of MOTOKO, and code that does not compile is not left out of a part.
  const motoko = await client.create('unknown', 'MOTOKO');
  expect((await runPart(motoko, ['page'])).logs).toMatch(/has no Motoko canister 'page' to deploy alone/);
  await client.push('unknown', { ...shop('one'), 'blog.mo': 'no Motoko' });
  expect((await runPart(motoko, ['blog'])).status).toBe('FAILED');
  const rest = await runPart(motoko, ['stock']);
  expect(rest.status, rest.logs ?? '').toBe('COMPLETED');
});

test('requests for the same part join, others do not; a site has no parts', async () => {
  await client.push('joined', { ...shop('one'), 'build.mjs': 'setTimeout(() => process.exit(1), 15000);' });
  const id = await client.create('joined', 'CUSTOM');
  const running = await client.trigger(id);
  await expect.poll(async () => (await client.instance(id, running)).status).toBe('RUNNING');
  const part = await startPart(id, ['till', 'stock']);
  expect(await startPart(id, ['stock', 'till', 'stock'])).toBe(part);
  const other = await startPart(id, ['blog']);
  const whole = await client.trigger(id);
  expect(new Set([running, part, other, whole]).size).toBe(4);
  expect(await client.trigger(id)).toBe(whole);
  for (const one of [whole, other, part, running]) {
    await client.ada.call('POST', `/deploy/${id}/instances/${one}/cancel`);
  }
  await client.push('plain', { 'index.html': '<h1>Plain</h1>' });
  const site = await client.create('plain', 'STATIC_SITE');
  await expect(startPart(site, ['website'])).rejects.toThrow(/A site has one canister/);
  await expect(startPart(id, [])).rejects.toThrow();
});

test('a health call is made for a part that has its canister, and left out for others', async () => {
  await client.push('healthy', shop('one'));
  const id = await client.create('healthy', 'CUSTOM');
  const health_call = {
    canister: 'till',
    method: 'version',
    argument: '()',
    expected: '("two")',
    deadline: 5,
  };
  await client.ada.call('PATCH', `/deploy/${id}`, { health_call });
  const blog = await runPart(id, ['blog']);
  expect(blog.status, blog.logs ?? '').toBe('COMPLETED');
  expect(blog.logs).toContain('The health call of the settings is left out');
  const till = await runPart(id, ['till']);
  expect(till.status).toBe('FAILED');
  expect(till.logs).toContain('The health call till.version answered ("one"), not ("two").');
});
