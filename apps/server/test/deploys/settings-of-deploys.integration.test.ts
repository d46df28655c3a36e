import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { DeployAnswer } from '@cannery/contract';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openDatabase } from '../../src/db/database.ts';
import { embeddedConnection } from '../../src/db/postgres/embedded-postgres.ts';
import type { Db } from '../../src/db/tx.ts';
import { type DeployClient, startDeployClient } from '../support/deploy-client.ts';

let dataDir: string;
let client: DeployClient;
let db: Db;
beforeAll(async () => {
  dataDir = mkdtempSync(join(tmpdir(), 'cannery-settings-'));
  client = await startDeployClient({ dataDir, env: { WORKER: 'off' } });
  await client.push('shop', { 'main.mo': 'actor {}' });
  db = openDatabase(embeddedConnection(dataDir), 1);
});
afterAll(async () => {
  await db?.destroy();
  await client?.dispose();
  rmSync(dataDir, { recursive: true, force: true });
});

const create = (type: string): Promise<string> => client.create('shop', type, { name: 'Shop' });
const of = (id: string): Promise<DeployAnswer> => client.ada.call('GET', `/deploy/${id}`);
const change = (id: string, body: object) => client.ada.request('PATCH', `/deploy/${id}`, body);

const USUAL = {
  build_command: null,
  publish_directory: null,
  root_directory: '',
  install_arguments: [],
  starting_cycles: [],
  on_push: false,
  watch_paths: [],
  deploy_tags: '',
  breaking_changes: 'publish',
  snapshots: 'require',
  health_call: null,
  deploy_without: [],
};
const call = { canister: 'till', method: 'ready', argument: '()', expected: '', deadline: 20 };

test('a new deploy has the usual settings; a static site has no code that snapshots could save', async () => {
  expect(await of(await create('MOTOKO'))).toMatchObject(USUAL);
  expect(await of(await create('STATIC_SITE'))).toMatchObject({
    ...USUAL,
    build_command: '',
    publish_directory: '',
    snapshots: 'off',
  });
});

test('a change of some settings leaves the others as they are', async () => {
  const id = await create('STATIC_SITE');
  for (const given of [
    { build_cmd: 'make' },
    { on_push: true },
    { watch_paths: ['web'] },
    { root_directory: 'shop' },
    { name: 'Other' },
  ])
    expect((await change(id, given)).status).toBe(200);
  expect(await of(id)).toMatchObject({
    name: 'Other',
    build_command: 'make',
    on_push: true,
    watch_paths: ['web'],
    root_directory: 'shop',
  });
});

test('what is for other types is not kept', async () => {
  const site = await create('STATIC_SITE');
  const ofCode = {
    breaking_changes: 'ask',
    snapshots: 'try',
    health_call: call,
    deploy_without: ['till'],
    install_arguments: [{ canister: 'till', argument: '(5)' }],
  };
  expect((await change(site, ofCode)).status).toBe(200);
  const kept = db.selectFrom('deploys').select('settings').where('id', '=', site);
  expect((await kept.executeTakeFirstOrThrow()).settings).toEqual({
    build_command: '',
    publish_directory: '',
    root_directory: '',
  });
  const motoko = await create('MOTOKO');
  expect((await change(motoko, { build_cmd: 'make', publish_dir: 'dist', ...ofCode })).status).toBe(200);
  expect(await of(motoko)).toMatchObject({ ...USUAL, ...ofCode });
});

test('names and texts are kept without what stands around them, blank ones not at all', async () => {
  const id = await create('MOTOKO');
  await change(id, {
    install_arguments: [
      { canister: ' till ', argument: ' (5) ' },
      { canister: 'stock', argument: ' \n' },
    ],
    watch_paths: ['', ' ', '/', './', '!', '!./', ' web/ ', '!web/*.md'],
    deploy_tags: ' v* ',
    root_directory: ' ./shop/ ',
    health_call: { ...call, canister: ' till ', method: ' ready ', argument: ' () ' },
  });
  expect(await of(id)).toMatchObject({
    install_arguments: [{ canister: 'till', argument: '(5)' }],
    watch_paths: ['web/', '!web/*.md'],
    deploy_tags: 'v*',
    root_directory: 'shop',
    health_call: { canister: 'till', method: 'ready' },
  });
});

test('a health call without a method, and with texts that are no Candid, is refused', async () => {
  const id = await create('MOTOKO');
  for (const [health_call, error] of [
    [{ ...call, method: ' ' }, 'The health call needs a method.'],
    [{ ...call, argument: '(' }, 'The argument of the health call is not Candid'],
    [{ ...call, expected: 'yes' }, 'The expected answer of the health call is not Candid'],
  ] as const) {
    expect(await change(id, { name: 'Other', health_call })).toMatchObject({
      status: 400,
      body: { error: expect.stringContaining(error) },
    });
  }
  expect(await of(id)).toMatchObject({ name: 'Shop', health_call: null });
});

test('canisters start with what a creation costs at least, and 1,000 T at most', async () => {
  const id = await create('MOTOKO');
  const starting = (amount: number) => change(id, { starting_cycles: [{ canister: ' till ', amount }] });
  for (const amount of [2, 1000]) {
    expect((await starting(amount)).status, `${amount} T`).toBe(200);
    expect((await of(id)).starting_cycles).toEqual([{ canister: 'till', amount }]);
  }
  for (const amount of [1.99, 1000.01]) {
    const { status, body } = await starting(amount);
    expect([status, body], `${amount} T`).toEqual([400, expect.anything()]);
  }
  expect((await of(id)).starting_cycles).toEqual([{ canister: 'till', amount: 1000 }]);
});

test.each([
  ['another host', { repo_url: 'https://example.org/ada/shop' }, { on_push: false }],
  ['an account at GitHub', { github_repository_id: 7 }, { on_push: true }],
])('of a repository at %s no watch paths and tags are known', async (_where, elsewhere, settings) => {
  const id = await create('STATIC_SITE');
  await db
    .updateTable('deploys')
    .set({ repository_id: null, ...elsewhere })
    .where('id', '=', id)
    .execute();
  for (const given of [{ watch_paths: ['web'] }, { deploy_tags: 'v*' }]) {
    expect(await change(id, { ...given, name: 'Other' })).toMatchObject({
      status: 400,
      body: { error: expect.stringContaining('Watch paths and tags are for repositories of this console') },
    });
  }
  const { status } = await change(id, { on_push: true, watch_paths: [], deploy_tags: '' });
  expect(status).toBe(settings.on_push ? 200 : 400);
  expect(await of(id)).toMatchObject({ name: 'Shop', watch_paths: [], deploy_tags: '', ...settings });
});
