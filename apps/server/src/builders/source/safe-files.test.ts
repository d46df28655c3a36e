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
import { BatchReader, readFromCheckout as read } from './safe-files.ts';
import { TenantFolder } from '../tenant/tenant-folder.ts';
import { type TestWorkspace, testWorkspace } from '../disks/workspace.testing.ts';

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

test('files are read in batches, each as it is alone', async () => {
  const texts = Array.from({ length: 150 }, (_, index) => `text ${index}`);
  for (const [index, text] of texts.entries()) writeFileSync(join(root, `${index}.txt`), text);
  writeFileSync(join(root, 'large'), Buffer.alloc(1_500_000, 'l'));
  symlinkSync('large', join(root, 'link'));
  symlinkSync('../secret', join(root, 'outside'));
  const files = [
    ...texts.map((text, index) => ({ path: `${index}.txt`, size: text.length })),
    { path: 'large', size: 1_500_000 },
    { path: 'link', size: 1_500_000 },
    { path: 'outside', size: 6 },
    { path: '0.txt', size: 3 },
    { path: '1.txt', size: 6 },
  ];
  const asked: unknown[] = [];
  const counted = new TenantFolder('x', (request, options) => {
    asked.push(request.op);
    return folders.source.ask(request, options);
  });
  const reader = new BatchReader(counted, files);
  for (const [index, text] of texts.entries()) expect((await reader.read(index)).toString()).toBe(text);
  expect(asked).toEqual(['readSome', 'readSome', 'readSome']);
  for (const index of [150, 151]) expect((await reader.read(index)).length).toBe(1_500_000);
  await expect(reader.read(152)).rejects.toThrow('outside leads out of the repository');
  await expect(reader.read(153)).rejects.toThrow('0.txt is larger than');
  expect((await reader.read(154)).toString()).toBe('text 1');
  await expect(reader.read(155)).rejects.toThrow(RangeError);
  expect(asked).toHaveLength(6);
});

test('a file that is gone or has changed its kind since it was listed is refused, and others of its batch are not', async () => {
  for (const name of ['a', 'b', 'c']) writeFileSync(join(root, name), name);
  const reader = new BatchReader(
    folders.source,
    ['a', 'b', 'c'].map((path) => ({ path, size: 1 })),
  );
  rmSync(join(root, 'a'));
  rmSync(join(root, 'b'));
  symlinkSync('../secret', join(root, 'b'));
  expect((await reader.read(2)).toString()).toBe('c');
  await expect(reader.read(0)).rejects.toThrow('a is not there after the build');
  await expect(reader.read(1)).rejects.toThrow('b leads out of the repository');
});
