import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { readPackageFile } from './package-files-thread.ts';
import { type TestWorkspace, testWorkspace } from '../disks/workspace.testing.ts';

let dataDir: string;
let folders: TestWorkspace;
let folder: string;
beforeEach(async () => {
  dataDir = mkdtempSync(join(tmpdir(), 'cannery-package-'));
  folders = await testWorkspace(dataDir);
  folder = folders.disk.source;
});
afterEach(async () => {
  await folders.remove();
  rmSync(dataDir, { recursive: true, force: true });
});

const never = new AbortController().signal;

function file(text: string): string {
  writeFileSync(join(folder, 'package.json'), text);
  return 'package.json';
}

/** What a file says that says nothing. */
const NOTHING = { needsPackages: false, scripts: [], packageManager: null, node: null, workspaces: [] };
const project = (text: string) => readPackageFile('project', folders.source, file(text), never);

test('what a project wants installed, and which of its scripts belong to that', async () => {
  expect(await project('{"devDependencies":{"a":"1"},"scripts":{"build":"x","postinstall":"y"}}')).toEqual({
    ...NOTHING,
    needsPackages: true,
    scripts: ['postinstall'],
  });
  expect(await project('{"workspaces":["a"]}')).toEqual({
    ...NOTHING,
    needsPackages: true,
    workspaces: ['a'],
  });
  expect(await project('{}')).toEqual(NOTHING);
});

test.each([
  ['no JSON', '{', null],
  ['a list', '[1]', NOTHING],
  ['fields of other kinds', '{"dependencies":"x","scripts":[1],"devDependencies":null}', NOTHING],
  ['a prototype', '{"__proto__":{"workspaces":[1]}}', NOTHING],
  ['lists in lists', '['.repeat(500_000), null],
  ['long lists in lists', `${'['.repeat(500_000)}${']'.repeat(500_000)}`, NOTHING],
])('%s', async (_what, text, answer) => {
  expect(await project(text)).toEqual(answer);
});

test('there is none, or it is a link: null', async () => {
  expect(await readPackageFile('project', folders.source, 'none', never)).toBeNull();
  symlinkSync('/etc/passwd', join(folder, 'link'));
  expect(await readPackageFile('project', folders.source, 'link', never)).toBeNull();
});

test('a list of a hundred thousand packages is read beside the main thread, and its answer is short', async () => {
  const packages = Object.fromEntries(
    Array.from({ length: 100_000 }, (_, n) => [
      `node_modules/p${n}`,
      { hasInstallScript: true, resolved: 'x'.repeat(50) },
    ]),
  );
  const path = file(JSON.stringify({ packages }));
  const before = process.threadCpuUsage();
  const names = await readPackageFile('scripted', folders.source, path, never);
  const { user, system } = process.threadCpuUsage(before);
  expect(names).toHaveLength(50);
  expect(names?.[0]).toBe('p0');
  expect((user + system) / 1000).toBeLessThan(1_000);
});
