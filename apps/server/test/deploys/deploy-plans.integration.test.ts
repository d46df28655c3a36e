import type { DeployAnswer, ProjectPlanAnswer } from '@cannery/contract';
import { createApi, signIn } from '@cannery/dev-env';
import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { embeddedConnection } from '../../src/db/postgres/embedded-postgres.ts';
import { type DeployClient, startDeployClient } from '../support/deploy-client.ts';

let client: DeployClient;

beforeAll(async () => {
  client = await startDeployClient({ env: { OPENING_BALANCE_T: '12' } });
}, 120_000);
afterAll(() => client?.dispose());

const T = 1_000_000_000_000n;
/** The smallest module there is; nothing of it is compiled. */
const MODULE = '\0asm\x01\0\0\0';

/** A project of modules that lie in the repository. */
const project = (names: readonly string[], more: object = {}): Record<string, string> => ({
  'dfx.json': JSON.stringify({
    canisters: {
      ...Object.fromEntries(names.map((name) => [name, { type: 'custom', wasm: 'm.wasm', candid: 'm.did' }])),
      ...more,
    },
  }),
  'm.wasm': MODULE,
  'm.did': 'service : {}',
});

const planOf = (id: string): Promise<ProjectPlanAnswer> => client.ada.call('GET', `/deploy/${id}/plan`);

const draft = (repo_name: string, deploy_type: string, more: object = {}): Promise<ProjectPlanAnswer> =>
  client.ada.call('POST', '/deploy/plan', { owner: 'ada', repo_name, branch: 'main', deploy_type, ...more });

const configure = (id: string, starting: Record<string, number>): Promise<unknown> =>
  client.ada.call('PATCH', `/deploy/${id}`, {
    starting_cycles: Object.entries(starting).map(([canister, amount]) => ({ canister, amount })),
  });

async function balance(): Promise<bigint> {
  const database = new pg.Client(embeddedConnection(client.product.dataDir));
  await database.connect();
  const { rows } = await database.query<{ left: string; held: string }>(
    "select balance::text as left, held::text as held from accounts join users on users.id = user_id where username = 'ada'",
  );
  await database.end();
  expect(rows[0]?.held).toBe('0');
  return BigInt(rows[0]?.left ?? 0);
}

test('a plan says before the first run what is created for how much, and is kept to', async () => {
  await client.push('trio', project(['one', 'two', 'three'], { legacy: { type: 'rust', package: 'x' } }));
  const planned = await draft('trio', 'CUSTOM');
  expect(planned).toMatchObject({ cost: (6n * T).toString(), balance: (12n * T).toString(), problem: null });
  expect(planned.creation).toBe((2n * T).toString());
  expect(planned.canisters.map(({ name, kind, cycles }) => [name, kind, cycles])).toEqual([
    ['one', 'module', (2n * T).toString()],
    ['two', 'module', (2n * T).toString()],
    ['three', 'module', (2n * T).toString()],
    ['legacy', 'left', '0'],
  ]);
  expect(planned.canisters.at(-1)?.reason).toMatch(/Rust/i);

  const id = await client.create('trio', 'CUSTOM');
  await configure(id, { two: 3.5, three: 4 });
  expect(await planOf(id)).toMatchObject({ cost: ((95n * T) / 10n).toString() });
  const run = await client.run(id);
  expect(run.status, run.logs ?? '').toBe('COMPLETED');
  expect(run.logs).toContain('3 of 3 canisters are new and will be created for 9.5 T cycles.');
  expect(run.logs).toContain("Creating a canister named 'trio/two' with 3.5 T");
  expect(await balance()).toBe((25n * T) / 10n);
  const { parts, starting_cycles } = await client.ada.call<DeployAnswer>('GET', `/deploy/${id}`);
  expect(starting_cycles).toEqual([
    { canister: 'two', amount: 3.5 },
    { canister: 'three', amount: 4 },
  ]);
  const kept = await planOf(id);
  expect(kept.cost).toBe('0');
  for (const { name, canister_id } of kept.canisters.slice(0, 3)) {
    expect(parts.find((part) => part.name === name)?.canister_id).toBe(canister_id);
    const { cycles_exact } = await client.ada.call<{ cycles_exact: string }>(
      'GET',
      `/canister/status/${canister_id}/?real_time=true`,
    );
    const begun = { one: 2, two: 3.5, three: 4 }[name] ?? 0;
    expect(Number(cycles_exact) / Number(T)).toBeGreaterThan(begun - 0.1);
    expect(Number(cycles_exact) / Number(T)).toBeLessThanOrEqual(begun);
  }
}, 200_000);

test('what the account cannot pay is said, and nothing of it is created', async () => {
  await client.push('dear', project(['cheap', 'dear']));
  const id = await client.create('dear', 'CUSTOM');
  await configure(id, { dear: 20 });
  const { cost, balance: left } = await planOf(id);
  expect(BigInt(cost)).toBe(22n * T);
  expect(BigInt(left)).toBe(await balance());
  const run = await client.run(id);
  expect(run.status).toBe('FAILED');
  expect(run.logs).toMatch(/the 2 canisters to be created need 22 T/);
  expect((await client.ada.call<DeployAnswer>('GET', `/deploy/${id}`)).canisters).toEqual([]);
  for (const amount of [1.99, 1000.5, 0, -1]) {
    await expect(configure(id, { dear: amount })).rejects.toThrow(/400|422/);
  }
}, 200_000);

test('a plan of Motoko names what its type leaves out, and says why a project cannot be read', async () => {
  const actor = 'persistent actor {}';
  await client.push('mixed', {
    'dfx.json': JSON.stringify({
      canisters: { backend: { main: 'main.mo' }, web: { type: 'assets', source: ['web'] } },
    }),
    'main.mo': actor,
  });
  const mixed = await draft('mixed', 'MOTOKO');
  expect(mixed.canisters.map(({ name, kind }) => [name, kind])).toEqual([
    ['backend', 'motoko'],
    ['web', 'left'],
  ]);
  expect(mixed.cost).toBe((2n * T).toString());
  expect((await draft('mixed', 'STATIC_SITE')).canisters).toMatchObject([{ name: 'website', kind: 'site' }]);

  await client.push('deep', { 'app/main.mo': actor, 'README.md': 'x' });
  expect((await draft('deep', 'MOTOKO', { root_directory: 'app' })).canisters).toMatchObject([
    { name: 'main' },
  ]);
  await client.push('broken', { 'dfx.json': '{ "canisters": [', 'README.md': 'x' });
  expect(await draft('broken', 'CUSTOM')).toMatchObject({
    canisters: [],
    cost: '0',
    problem: expect.stringContaining('dfx.json'),
  });
  await client.push('empty', { 'README.md': 'x' });
  expect((await draft('empty', 'MOTOKO')).problem).toContain('No Motoko source');
  await expect(draft('empty', 'MOTOKO', { branch: 'gone' })).rejects.toThrow(/404/);
}, 200_000);

test('what is asked for as another type is told as what it is, in both directions', async () => {
  const detect = (repo_name: string): Promise<{ better_type?: string }> =>
    client.ada.call('POST', '/deploy/detect', { owner: 'ada', repo_name, branch: 'main' });
  await client.push('shop', { 'index.html': 'a page', 'package.json': '{}' });
  await client.push('tally', {
    'mops.toml': '[package]\nname = "tally"',
    'src/main.mo': 'persistent actor {}',
  });
  expect(await detect('shop')).not.toHaveProperty('better_type');
  expect(await detect('tally')).toMatchObject({ framework: null, better_type: 'MOTOKO' });
  expect(await detect('mixed')).toMatchObject({ better_type: 'CUSTOM' });
  for (const type of ['MOTOKO', 'CUSTOM']) {
    expect(await draft('shop', type), type).toMatchObject({ better_type: 'STATIC_SITE' });
    expect(await draft('empty', type), type).not.toHaveProperty('better_type');
  }
  expect(await draft('mixed', 'MOTOKO')).toMatchObject({ better_type: 'CUSTOM', settings_file: 'dfx.json' });
  expect(await draft('mixed', 'CUSTOM')).not.toHaveProperty('better_type');
  expect(await draft('tally', 'MOTOKO')).not.toHaveProperty('better_type');
  // A deploy that is there has its type.
  const id = await client.create('shop', 'CUSTOM');
  expect(await planOf(id)).not.toHaveProperty('better_type');
}, 200_000);

test('a plan of a template is that of the repository that it becomes, and makes none', async () => {
  const before = await client.ada.call<unknown[]>('GET', '/deploy/repos');
  for (const [template, type] of [
    ['static-site', 'STATIC_SITE'],
    ['motoko-counter', 'MOTOKO'],
  ] as const) {
    const planned = await draft(template, type, { template });
    expect(await client.ada.call('GET', '/deploy/repos'), template).toEqual(before);
    await client.ada.call('POST', `/repository/templates/${template}`);
    const { settings_file: _file, ...real } = await draft(template, type);
    expect(planned, template).toEqual(real);
    await client.ada.call('DELETE', `/repository/content/ada/${template}`);
  }
  await expect(draft('x', 'MOTOKO', { template: 'no-such' })).rejects.toThrow(/404/);
}, 200_000);

test('a plan of somebody else is not there', async () => {
  const bob = createApi(client.product.url, await signIn(client.product.url, 'bob'));
  const id = await client.create('mixed', 'MOTOKO');
  expect((await bob.request('GET', `/deploy/${id}/plan`)).status).toBe(404);
  // A repository of somebody else answers as one that does not exist.
  for (const deploy_type of ['STATIC_SITE', 'MOTOKO', 'CUSTOM']) {
    const answers = await Promise.all(
      ['mixed', 'nowhere'].map(async (repo_name) => {
        const body = { owner: 'ada', repo_name, branch: 'main', deploy_type };
        const { status, body: said } = await bob.request('POST', '/deploy/plan', body);
        return [status, JSON.stringify(said).replaceAll(repo_name, '')];
      }),
    );
    expect(answers[0]).toEqual(answers[1]);
    expect(answers[0]?.[0]).toBe(400);
  }
});
