import { createHash } from 'node:crypto';
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type TestWorkspace, testWorkspace } from '../../disks/workspace.testing.ts';
import type { TenantFile } from '../../tenant/tenant-folder.ts';
import { openPackageStore, type PackageStore } from './package-store.ts';

let dataDir: string;
let folders: TestWorkspace;
let root: string;
let from: string;
let store: PackageStore;
const at = (path: string): TenantFile => ({ folder: folders.source, path });

beforeEach(async () => {
  dataDir = mkdtempSync(join(tmpdir(), 'cannery-store-'));
  folders = await testWorkspace(dataDir);
  root = folders.disk.source;
  from = join(root, 'from');
  mkdirSync(join(from, 'src'), { recursive: true });
  writeFileSync(join(from, 'mops.toml'), '[package]\n');
  writeFileSync(join(from, 'src', 'lib.mo'), 'module {}');
  store = openPackageStore(join(dataDir, 'store'));
});
afterEach(async () => {
  await folders.remove();
  rmSync(dataDir, { recursive: true, force: true });
});

function hashes(files: Record<string, string>): Map<string, string> {
  return new Map(
    Object.entries(files).map(([path, text]) => [path, createHash('sha256').update(text).digest('hex')]),
  );
}

const honest = { 'mops.toml': '[package]\n', 'src/lib.mo': 'module {}' };

test('a package whose files have their hashes comes out as it went in', async () => {
  await store.add('ic@4.0.0', hashes(honest), at('from'));
  expect(await store.copyTo('ic@4.0.0', at('to'))).toBe(true);
  expect(readFileSync(join(root, 'to/src/lib.mo'), 'utf8')).toBe('module {}');
  expect(await store.copyTo('ic@4.0.1', at('other'))).toBe(false);
});

test('two packages share a file, and a changed content is given to nobody', async () => {
  await store.add('a@1.0.0', hashes(honest), at('from'));
  await store.add('b@1.0.0', hashes({ 'src/lib.mo': 'module {}' }), at('from'));
  const contents = join(dataDir, 'store', 'contents');
  expect(readdirSync(contents)).toHaveLength(2);
  for (const file of readdirSync(contents)) writeFileSync(join(contents, file), 'evil');
  expect(await store.copyTo('a@1.0.0', at('to'))).toBe(false);
  expect(readdirSync(root).sort()).toEqual(['from']);
});

test.each([
  [
    'a file that differs from its hash',
    'a@1.0.0',
    { 'src/lib.mo': 'module { other }' },
    'differs from its hash',
  ],
  ['a file that is not there', 'a@1.0.0', { 'src/more.mo': '' }, 'lacks the file'],
  ['a path out of the package', 'a@1.0.0', { '../secret': 'x' }, "the path '../secret'"],
  ['a path from the root', 'a@1.0.0', { '/etc/passwd': 'x' }, 'the path'],
  ['a path with a backslash', 'a@1.0.0', { 'a\\b': 'x' }, 'the path'],
  ['a path with empty names', 'a@1.0.0', { 'src//lib.mo': 'x' }, 'the path'],
  ['a name that leads elsewhere', '../a@1.0.0', honest, 'is not a package'],
  ['a version that leads elsewhere', 'a@1.0.0/../../b', honest, 'is not a package'],
  [
    'too many files',
    'a@1.0.0',
    Object.fromEntries(Array.from({ length: 1_001 }, (_, index) => [`f${index}`, ''])),
    'more than 1000 files',
  ],
])('%s is not taken in', async (_what, id, files, reason) => {
  await expect(store.add(id, hashes(files), at('from'))).rejects.toThrow(reason);
  expect(await store.copyTo(id, at('to'))).toBe(false);
});

test('a link among the files, or on the way to one, is not followed', async () => {
  writeFileSync(join(root, 'secret'), 'secret');
  symlinkSync(join(root, 'secret'), join(from, 'link.mo'));
  symlinkSync(root, join(from, 'folder'));
  for (const path of ['link.mo', 'folder/secret']) {
    await expect(store.add('a@1.0.0', hashes({ [path]: 'secret' }), at('from'))).rejects.toThrow(
      'lacks the file',
    );
  }
});
