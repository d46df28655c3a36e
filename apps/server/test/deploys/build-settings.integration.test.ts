import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { DeployAnswer } from '@cannery/contract';
import { createApi, signIn } from '@cannery/dev-env';
import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { embeddedConnection } from '../../src/db/postgres/embedded-postgres.ts';
import { type DeployClient, startDeployClient } from '../support/deploy-client.ts';

let client: DeployClient;

beforeAll(async () => {
  client = await startDeployClient();
}, 120_000);
afterAll(() => client?.dispose());

const hashOf = (text: string): string => createHash('sha256').update(text).digest('hex');

/** Writes the hash of each value, and prints the values as careless programs do. */
const build = `const { createHash } = require('node:crypto');
const { writeFileSync } = require('node:fs');
const names = JSON.parse(process.env.NAMES);
const values = names.map((name) => process.env[name] ?? 'none');
writeFileSync('values.json', JSON.stringify(values.map((value) => createHash('sha256').update(value).digest('hex'))));
for (const value of values) {
  console.log(value);
  console.log(JSON.stringify({ value }), encodeURIComponent(value), Buffer.from(value).toString('base64'));
  console.log('x'.repeat(3990) + value);
}`;

interface Given {
  name: string;
  value?: string;
  secret?: boolean;
}

async function save(id: string, variables: readonly Given[]): Promise<DeployAnswer> {
  return (await client.ada.call<{ data: DeployAnswer }>('PATCH', `/deploy/${id}`, { variables })).data;
}

async function refusal(id: string, variables: readonly unknown[]): Promise<string> {
  const { status, body } = await client.ada.request('PATCH', `/deploy/${id}`, { variables });
  expect(status).toBe(400);
  return JSON.stringify(body);
}

/** Every byte of the data folder's files, without the database's. */
function bytesBelow(folder: string): Buffer {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) =>
    entry.isFile(),
  );
  return Buffer.concat(files.map(({ parentPath, name }) => readFileSync(join(parentPath, name))));
}

const secrets = {
  TOKEN: 'tok-8d1f0a52-b1f3',
  MULTI: '-----BEGIN KEY-----\nMC4CAQAwBQYDK2VwBCIEIJ\n-----END KEY-----',
  QUOTED: `it's "quoted"; touch /build/source/pwned; $(touch /build/source/pwned) \\ \`x\``,
};

test('commands get variables and secrets exactly; a secret is in no answer, log, file or row', async () => {
  await client.push('pages', { 'index.html': '<p>page</p>', 'build.cjs': build });
  const id = await client.create('pages', 'STATIC_SITE', {
    build_command: 'node build.cjs',
  });
  const names = ['WORD', 'EMPTY', 'LD_PRELOAD', ...Object.keys(secrets)];
  const plain = [
    { name: 'NAMES', value: JSON.stringify(names) },
    { name: 'WORD', value: 'peach in a can' },
    { name: 'EMPTY', value: '' },
    // Outside the sandbox it would be loaded into the server's own programs.
    { name: 'LD_PRELOAD', value: '/build/source/nothing.so' },
  ];
  const sealed = Object.entries(secrets).map(([name, value]) => ({ name, value, secret: true }));
  const saved = await save(id, [...plain, ...sealed]);
  const answered = [
    ...plain.map((one) => ({ ...one, secret: false })),
    ...sealed.map((one) => ({ ...one, value: null })),
  ].sort((a, b) => (a.name < b.name ? -1 : 1));
  expect(saved.variables).toEqual(answered);
  const run = await client.run(id);
  const log = run.logs ?? '';
  expect(run.status, log).toBe('COMPLETED');
  expect(log).toContain('Variables of the settings: EMPTY, LD_PRELOAD, MULTI (secret), NAMES,');
  // A path that is not there is answered with the first page.
  expect((await client.page(id, '/pwned')).text).toBe('<p>page</p>');
  const values = ['peach in a can', '', '/build/source/nothing.so', ...Object.values(secrets)];
  const hashes = JSON.parse((await client.page(id, '/values.json')).text) as unknown;
  expect(hashes).toEqual(values.map(hashOf));

  const database = new pg.Client(embeddedConnection(client.product.dataDir));
  await database.connect();
  const tables = ['deploys', 'deploy_variables', 'deploy_log_lines', 'deploy_instances', 'run_artifacts'];
  const rows: string[] = [];
  for (const table of tables) {
    const found = await database.query<Record<string, unknown>>(`select * from ${table}`);
    const values = found.rows.flatMap((row) => Object.values(row));
    rows.push(...values.map((value) => (Buffer.isBuffer(value) ? value.toString('latin1') : String(value))));
  }
  await database.end();
  const answers = await Promise.all(
    ['/deploy', `/deploy/${id}`, `/deploy/${id}/instances`].map((path) => client.ada.call('GET', path)),
  );
  const seen = [log, ...rows, JSON.stringify(answers), client.product.output()].join('\n');
  expect(log).toContain('peach in a can');
  for (const part of Object.values(secrets).flatMap((value) => value.split('\n'))) {
    const quoted = JSON.stringify(part).slice(1, -1);
    for (const form of [part, quoted, encodeURIComponent(part), Buffer.from(part).toString('base64')]) {
      expect(seen).not.toContain(form);
      expect(seen).not.toContain(form.slice(0, 10));
    }
  }
  // The folder of a run goes after the run has ended.
  await expect.poll(() => readdirSync(join(client.product.dataDir, 'builds'))).toEqual([]);
  const files = ['blobs', 'cache'].map((name) => join(client.product.dataDir, name));
  for (const folder of files) expect(bytesBelow(folder).includes(secrets.TOKEN), folder).toBe(false);
}, 120_000);

test('commands ask git for commit, branch and the last change of a file; nothing of git is published', async () => {
  const ask =
    'git rev-parse HEAD; git branch --show-current; git log -1 --format=%s -- old.txt; git status --porcelain';
  await client.push('past', { 'index.html': 'one', 'old.txt': 'old' });
  const id = await client.create('past', 'STATIC_SITE', {
    build_command: `(${ask}) > /tmp/past; mv /tmp/past index.html`,
  });
  const run = await client.run(id);
  expect(run.status, run.logs ?? '').toBe('COMPLETED');
  expect((await client.page(id)).text).toBe(`${run.commit_sha}\nmain\nImport past\n`);
  for (const path of ['/.git/HEAD', '/.git/config', '/.git/index'])
    expect((await client.page(id, path)).text, path).toContain(run.commit_sha);
});

test('a value is kept when none is given, and what cannot be a variable is refused with nothing changed', async () => {
  await client.push('kept', { 'index.html': 'x', 'build.cjs': build });
  const id = await client.create('kept', 'STATIC_SITE', { build_command: 'node build.cjs' });
  const token = { name: 'TOKEN', value: secrets.TOKEN, secret: true };
  await save(id, [{ name: 'NAMES', value: '["TOKEN","WORD"]' }, { name: 'WORD', value: 'old' }, token]);
  await save(id, [{ name: 'NAMES' }, { name: 'WORD', value: 'new' }, { name: 'TOKEN', secret: true }]);
  expect((await client.run(id)).status).toBe('COMPLETED');
  const hashes = JSON.parse((await client.page(id, '/values.json')).text) as unknown;
  expect(hashes).toEqual([secrets.TOKEN, 'new'].map(hashOf));
  const before = await client.ada.call<DeployAnswer>('GET', `/deploy/${id}`);

  expect(await refusal(id, [{ name: 'TOKEN' }])).toContain('The variable TOKEN needs a value.');
  expect(await refusal(id, [{ name: 'WORD', secret: true }])).toContain('needs a value');
  expect(await refusal(id, [{ name: 'OTHER' }])).toContain('The variable OTHER needs a value.');
  expect(await refusal(id, [{ name: 'SHORT', value: '1234567', secret: true }])).toContain('at least 8');
  expect(
    await refusal(id, [
      { name: 'A', value: '1' },
      { name: 'A', value: '2' },
    ]),
  ).toContain('twice');
  await refusal(id, [{ name: 'A', value: 'x'.repeat(10_001) }]);
  await refusal(
    id,
    Array.from({ length: 101 }, (_, at) => ({ name: `V${at}`, value: '' })),
  );
  for (const name of [
    'PATH',
    'HOME',
    'CANNERY_X',
    'A-B',
    '1A',
    '',
    'A B',
    'A=B',
    'A\nB',
    'Ä',
    'x'.repeat(101),
  ]) {
    await refusal(id, [{ name, value: 'x' }]);
  }
  expect(await client.ada.call('GET', `/deploy/${id}`)).toEqual(before);

  const motoko = await client.create('kept', 'MOTOKO');
  expect(await refusal(motoko, [{ name: 'A', value: '1' }])).toContain('runs no commands');
  const bob = createApi(client.product.url, await signIn(client.product.url, 'bob'));
  expect((await bob.request('PATCH', `/deploy/${id}`, { variables: [] })).status).toBe(404);
  expect((await save(id, [])).variables).toEqual([]);
}, 120_000);

test('what a project sets itself counts more, and the log says so', async () => {
  await client.push('shop', {
    'dfx.json': JSON.stringify({
      canisters: { pages: { type: 'assets', source: ['dist'], build: ['sh build.sh'] } },
    }),
    'build.sh': 'mkdir dist && echo "$CANISTER_ID_PAGES $WORD $DFX_NETWORK" > dist/index.html\n',
  });
  const id = await client.create('shop', 'CUSTOM');
  await save(id, [
    { name: 'WORD', value: 'peach' },
    { name: 'CANISTER_ID_PAGES', value: 'aaaaa-aa' },
  ]);
  const run = await client.run(id);
  expect(run.status, run.logs ?? '').toBe('COMPLETED');
  expect(run.logs).toContain(
    'The variable CANISTER_ID_PAGES of the settings is not used: the build sets it.',
  );
  const { canisters } = await client.ada.call<DeployAnswer>('GET', `/deploy/${id}`);
  expect((await client.page(id)).text.trim()).toBe(`${canisters[0]} peach local`);
}, 120_000);

test('a folder of the repository is built as if it were the repository', async () => {
  await client.push('mono', {
    'index.html': 'the whole',
    'shared.txt': 'shared',
    'sites/web/package.json': JSON.stringify({ scripts: { build: 'node make.mjs' } }),
    'sites/web/make.mjs':
      "import { copyFileSync, mkdirSync, writeFileSync } from 'node:fs';\nmkdirSync('out');\nwriteFileSync('out/index.html', 'the folder');\ncopyFileSync('../../shared.txt', 'out/shared.txt');\n",
    'canisters/dfx.json': JSON.stringify({ canisters: { main: { main: 'main.mo' } } }),
    'canisters/main.mo': 'persistent actor { public query func word() : async Text { "peach" } }',
  });
  const site = await client.create('mono', 'STATIC_SITE', {
    root_directory: './sites/web/',
    build_command: 'npm run build',
    publish_directory: 'out',
  });
  const run = await client.run(site);
  expect(run.status, run.logs ?? '').toBe('COMPLETED');
  expect((await client.page(site)).text).toBe('the folder');
  expect((await client.page(site, '/shared.txt')).text).toBe('shared');
  expect(await client.ada.call('GET', `/deploy/${site}`)).toMatchObject({ root_directory: 'sites/web' });

  for (const type of ['MOTOKO', 'CUSTOM']) {
    const id = await client.create('mono', type, { root_directory: 'canisters' });
    const { status, logs } = await client.run(id);
    expect(status, logs ?? '').toBe('COMPLETED');
  }
  const above = JSON.stringify({ canisters: { main: { main: '../shared.mo' } } });
  await client.push('above', { 'shared.mo': 'persistent actor {}', 'in/dfx.json': above });
  const outside = await client.run(await client.create('above', 'MOTOKO', { root_directory: 'in' }));
  expect(outside.logs?.trimEnd().split('\n').at(-1)).toBe(
    "Failed: dfx.json names ../shared.mo, which is outside the repository. The root directory 'in' counts as the repository; choose one above it.",
  );
  await client.ada.call('PATCH', `/deploy/${site}`, { root_directory: 'sites/none' });
  const failed = await client.run(site);
  expect(failed.logs?.trimEnd().split('\n').at(-1)).toBe(
    "Failed: The root directory 'sites/none' is not in the repository. Correct it in the settings of the deploy.",
  );
  for (const root_directory of ['..', 'a/../../b', '/etc', 'a\\b', 'x'.repeat(501)]) {
    const answer = await client.ada.request('PATCH', `/deploy/${site}`, { root_directory });
    expect(answer.status, root_directory).toBe(400);
  }
  const detected = await client.ada.call('POST', '/deploy/detect', {
    owner: 'ada',
    repo_name: 'mono',
    branch: 'main',
    root_directory: 'sites/web',
  });
  expect(detected).toMatchObject({ build_command: expect.stringContaining('npm run build') as unknown });
}, 120_000);

test('with another key of the server a run says what to do, and everything else goes on', async () => {
  await client.push('rekeyed', { 'index.html': 'x' });
  const id = await client.create('rekeyed', 'STATIC_SITE');
  await save(id, [{ name: 'TOKEN', value: secrets.TOKEN, secret: true }]);
  const file = join(client.product.dataDir, 'secrets.key');
  const key = readFileSync(file, 'utf8');
  await client.product.stop();
  writeFileSync(file, `${'ab'.repeat(32)}\n`);
  await client.product.restart();
  const failed = await client.run(id);
  expect(failed.status).toBe('FAILED');
  expect(failed.logs).toContain('Enter them again in the settings of the deploy');
  await save(id, [{ name: 'TOKEN', value: 'another-secret', secret: true }]);
  expect((await client.run(id)).status).toBe('COMPLETED');
  await client.product.stop();
  writeFileSync(file, key);
  await client.product.restart();
}, 120_000);
