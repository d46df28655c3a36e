import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type TestWorkspace, testWorkspace } from '../../disks/workspace.testing.ts';
import { NO_TOOLS } from './choose-tool.ts';
import { findInstallRoot, type InstallRoot, isMember } from './find-root.ts';

let root: string;
let folders: TestWorkspace;
let source: string;
beforeEach(async () => {
  root = mkdtempSync(join(tmpdir(), 'cannery-root-'));
  folders = await testWorkspace(root);
  source = folders.disk.source;
});
afterEach(async () => {
  await folders.remove();
  rmSync(root, { recursive: true, force: true });
});

async function rootOf(files: Record<string, string>, folder: string): Promise<InstallRoot | null> {
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(source, path)), { recursive: true });
    writeFileSync(join(source, path), text);
  }
  return findInstallRoot(folders.source, folder, NO_TOOLS, new AbortController().signal);
}

test('a folder without package.json has nothing to install', async () => {
  expect(await rootOf({ 'index.html': '' }, '')).toBeNull();
});

test('a package alone is its root, whatever lies above it', async () => {
  const root = await rootOf(
    { 'package.json': '{"dependencies":{"a":"1"}}', 'web/package.json': '{}' },
    'web',
  );
  expect(root).toMatchObject({ folder: 'web', member: null, workspaces: false, tool: { name: 'npm' } });
});

test.each([
  ['npm', { 'package.json': '{"workspaces":["apps/*"]}', 'package-lock.json': '{}' }],
  [
    'yarn',
    { 'package.json': '{"workspaces":{"packages":["./apps/**"]}}', 'yarn.lock': '# yarn lockfile v1\n' },
  ],
  ['pnpm', { 'pnpm-workspace.yaml': 'packages: [apps/*]', 'pnpm-lock.yaml': "lockfileVersion: '9.0'\n" }],
])('a workspace of %s is installed at the root of the workspaces', async (tool, files) => {
  const root = await rootOf({ ...files, 'apps/web/package.json': '{"scripts":{"prepare":"x"}}' }, 'apps/web');
  expect(root).toMatchObject({
    folder: '',
    workspaces: true,
    own: { needsPackages: true },
    tool: { name: tool },
  });
  expect(root?.member).toMatchObject({ folder: 'apps/web', own: { scripts: ['prepare'] } });
});

test('a package with a lock file is its root, although it lies in the folder of workspaces', async () => {
  const files = { 'package.json': '{"workspaces":["apps/*"]}', 'apps/web/package-lock.json': '{}' };
  const root = await rootOf({ ...files, 'apps/web/package.json': '{}' }, 'apps/web');
  expect(root).toMatchObject({ folder: 'apps/web', workspaces: false, underOthers: false });
});

test.each([
  ['settings alone', 'minimumReleaseAge: 0\n', 'examples/demo', true],
  ['packages behind settings', `# ${'x'.repeat(3_000)}\n"packages" : [examples/*]\n`, '', false],
])('pnpm-workspace.yaml with %s', async (_what, settings, folder, underOthers) => {
  const files = { 'pnpm-workspace.yaml': settings, 'package.json': '{"packageManager":"pnpm@10.1.1"}' };
  const root = await rootOf({ ...files, 'examples/demo/package.json': '{}' }, 'examples/demo');
  expect(root).toMatchObject({ folder, underOthers, workspaces: !underOthers, tool: { name: 'pnpm' } });
});

test('packageManager counts from above, and the nearest file that names a Node', async () => {
  const files = {
    'package.json': '{"workspaces":["a"],"packageManager":"pnpm@9.1.1","engines":{"node":">=18"}}',
    'a/package.json': '{"engines":{"node":"20"}}',
  };
  expect(await rootOf(files, 'a')).toMatchObject({
    tool: { name: 'pnpm', version: '9.1.1' },
    node: { wish: '20', because: 'package.json' },
  });
  expect(
    await rootOf({ 'a/package.json': '{}', 'a/.nvmrc': '\n# the server has it\nv22.1.0\n' }, 'a'),
  ).toMatchObject({
    node: { wish: 'v22.1.0', because: '.nvmrc' },
  });
  expect(await rootOf({ 'a/package.json': '{"engines":{"node":">=18"}}' }, 'a')).toMatchObject({
    node: { wish: '>=18', because: 'package.json' },
  });
});

test('a link is no file that names anything', async () => {
  symlinkSync('/etc/hostname', join(source, '.nvmrc'));
  expect(await rootOf({ 'package.json': '{}' }, '')).toMatchObject({ node: null });
});

test.each([
  [['packages/*'], 'packages/a', true],
  [['packages/*'], 'packages/a/b', false],
  [['packages/**'], 'packages/a/b', true],
  [['./web/'], 'web', true],
  [['*', '!web'], 'web', false],
  [['{a,b}', '[', 'web'], 'web', true],
])('%j and %s: %s', (patterns, path, member) => expect(isMember(patterns, path)).toBe(member));
