import { execFileSync } from 'node:child_process';
import {
  existsSync,
  linkSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { readFromCheckout as read } from './safe-files.ts';
import { type TestWorkspace, testWorkspace } from './tenant/workspace.testing.ts';

let dataDir: string;
let folders: TestWorkspace;
let outer: string;
let root: string;

beforeEach(async () => {
  dataDir = mkdtempSync(join(tmpdir(), 'cannery-safe-'));
  folders = await testWorkspace(dataDir);
  root = folders.disk.source;
  outer = join(root, '..');
  writeFileSync(join(outer, 'secret'), 'secret');
});
afterEach(async () => {
  await folders.remove();
  rmSync(dataDir, { recursive: true, force: true });
});

const readFromCheckout = (path: string, most: number): Promise<Buffer> => read(folders.source, path, most);
const writeInCheckout = (path: string, text: string): Promise<void> => folders.source.write(path, text);

test('a file is written with the folders above it, in place of what is there', async () => {
  await writeInCheckout('a/b/c.txt', 'one');
  await writeInCheckout('a/b/c.txt', 'two');
  expect(readFileSync(join(root, 'a/b/c.txt'), 'utf8')).toBe('two');
  mkdirSync(join(root, 'folder/inside'), { recursive: true });
  await writeInCheckout('folder', 'file');
  expect(readFileSync(join(root, 'folder'), 'utf8')).toBe('file');
});

test('a link is never written through, whether it is the file, one of two names, or a folder above', async () => {
  symlinkSync('../secret', join(root, 'link'));
  await writeInCheckout('link', 'mine');
  linkSync(join(outer, 'secret'), join(root, 'second-name'));
  await writeInCheckout('second-name', 'mine');
  symlinkSync('..', join(root, 'up'));
  await expect(writeInCheckout('up/new', 'mine')).rejects.toThrow('up is a link or a file');
  await expect(writeInCheckout('up/deeper/new', 'mine')).rejects.toThrow('up is a link or a file');
  expect(readFileSync(join(outer, 'secret'), 'utf8')).toBe('secret');
  expect(existsSync(join(outer, 'new'))).toBe(false);
});

test('a file is read through links as long as they stay inside', async () => {
  writeFileSync(join(root, 'real'), 'text');
  symlinkSync('real', join(root, 'inside'));
  symlinkSync('../secret', join(root, 'outside'));
  symlinkSync('..', join(root, 'up'));
  expect((await readFromCheckout('inside', 100)).toString()).toBe('text');
  await expect(readFromCheckout('outside', 100)).rejects.toThrow('leads out of the repository');
  await expect(readFromCheckout('up/secret', 100)).rejects.toThrow('leads out of the repository');
  await expect(readFromCheckout('none', 100)).rejects.toThrow('is not there');
  await expect(readFromCheckout('.', 100)).rejects.toThrow('leads out of the repository');
  await expect(readFromCheckout('real', 3)).rejects.toThrow('is larger than');
});

test('a folder, a pipe and a device are no files', async () => {
  mkdirSync(join(root, 'folder'));
  await expect(readFromCheckout('folder', 100)).rejects.toThrow('is not a file');
  execFileSync('mkfifo', [join(root, 'pipe')]);
  await expect(readFromCheckout('pipe', 100)).rejects.toThrow('is not a file');
});
