import { createApi, signIn } from '@cannery/dev-env';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type DeployClient, startDeployClient } from '../support/deploy-client.ts';

let client: DeployClient;
beforeAll(async () => {
  client = await startDeployClient();
});
afterAll(() => client.dispose());

const body = (repo_name: string, branch = 'main'): object => ({ owner: 'ada', repo_name, branch });

test('[DEP-15] a repository is recognised without a checkout, and its settings build it', async () => {
  const scripts = { build: 'mkdir -p out && cp page.html out/index.html' };
  await client.push('look', {
    'package.json': JSON.stringify({ scripts, devDependencies: {}, engines: { node: '>=20' } }),
    'page.html': 'a page',
  });
  expect(await client.ada.call('POST', '/deploy/detect', body('look'))).toEqual({
    framework: 'Node.js',
    why: "package.json has a script 'build'",
    build_command: 'npm run build',
    publish_directory: 'dist',
    node_version: '>=20',
    package_manager: 'npm',
    roots: [],
    advice: null,
  });
  await client.push('plain', { 'public/index.html': 'a plain page' });
  const plain = await client.ada.call<Record<string, string>>('POST', '/deploy/detect', body('plain'));
  expect(plain).toMatchObject({ framework: 'HTML', build_command: '', publish_directory: 'public' });
  const id = await client.create('plain', 'STATIC_SITE', {
    publish_directory: plain.publish_directory ?? '',
  });
  expect(await client.run(id)).toMatchObject({ status: 'COMPLETED' });
  expect((await client.page(id)).text).toBe('a plain page');
});

test('texts of a tenant do no harm: nested, large, no JSON, names of branches that are options', async () => {
  await client.push('odd', {
    'package.json': '['.repeat(30_000),
    'web/package.json': `{"devDependencies":{"vite":"1"},"x":"${'x'.repeat(100_000)}"}`,
    'site/package.json': '{"devDependencies":{"vite":"1"}}',
    'site/vite.config.js': `outDir: ${' '.repeat(60_000)}`,
  });
  expect(await client.ada.call('POST', '/deploy/detect', body('odd'))).toMatchObject({
    framework: 'Vite',
    build_command: 'cd site && npx vite build',
    publish_directory: 'site/dist',
  });
  for (const branch of ['--all', 'none', 'refs/heads/main', 'main:package.json'])
    expect((await client.ada.request('POST', '/deploy/detect', body('odd', branch))).status).toBe(404);
});

test("somebody else's repository is not looked at", async () => {
  await client.push('secret', { 'index.html': 'a page' });
  const eve = createApi(client.product.url, await signIn(client.product.url, 'eve'));
  for (const name of ['secret', 'no-such'])
    expect(await eve.request('POST', '/deploy/detect', body(name))).toMatchObject({
      status: 400,
      body: { code: 'repository_not_found', error: expect.stringContaining(`no repository ada/${name}, or`) },
    });
});

const lastLine = ({ logs }: { logs: string | null }): string | undefined => logs?.split('\n').at(-1);

test('folders with a site are offered, and named by a run that fails for it', async () => {
  await client.push('nested', {
    'README.md': '',
    'starlight/astro.config.mjs': '',
    'starlight/package.json': '{}',
  });
  expect(await client.ada.call('POST', '/deploy/detect', body('nested'))).toMatchObject({
    framework: null,
    roots: [{ folder: 'starlight', file: 'astro.config.mjs' }],
    advice: 'Nothing that can be published was found. Set the folder of the site as Root directory.',
  });
  const inside = { ...body('nested'), root_directory: 'starlight' };
  expect(await client.ada.call('POST', '/deploy/detect', inside)).toMatchObject({ roots: [] });
  const id = await client.create('nested', 'STATIC_SITE', { publish_directory: 'dist' });
  expect(lastLine(await client.run(id))).toMatch(
    / astro\.config\.mjs is in starlight: set it as Root directory in the settings of the deploy\.$/,
  );
});

test('folders with a project are offered, and named by a run that fails for it', async () => {
  const main = 'persistent actor {}';
  await client.push('dip', {
    'motoko/dfx.json': JSON.stringify({ canisters: { token: { main: 'token.mo' } } }),
    'motoko/token.mo': main,
    'motoko/other.mo': main,
  });
  const says = /dfx\.json is in motoko: set it as Root directory in the settings of the deploy\.$/;
  const draft = { ...body('dip'), deploy_type: 'CUSTOM' };
  expect(await client.ada.call('POST', '/deploy/plan', draft)).toMatchObject({
    problem: expect.stringMatching(says),
    roots: [{ folder: 'motoko', file: 'dfx.json' }],
  });
  const inside = await client.ada.call('POST', '/deploy/plan', { ...draft, root_directory: 'motoko' });
  expect(inside).toMatchObject({ problem: null, roots: [], canisters: [{ name: 'token' }] });
  const id = await client.create('dip', 'CUSTOM');
  expect(lastLine(await client.run(id))).toMatch(says);
});

test('a project of which nothing can be compiled here says why in its last line', async () => {
  await client.push('azle', { 'dfx.json': JSON.stringify({ canisters: { api: { type: 'azle' } } }) });
  expect(lastLine(await client.run(await client.create('azle', 'CUSTOM')))).toBe(
    'Failed: dfx.json has no canister that can be deployed here. api: Azle (TypeScript) is not compiled here; build it on your machine, commit its WebAssembly, and name it in dfx.json by the type "custom".',
  );
});
