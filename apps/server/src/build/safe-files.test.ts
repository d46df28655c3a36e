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
import { readFromCheckout, writeInCheckout } from './safe-files.ts';

let outer: string;
let root: string;

beforeEach(() => {
  outer = mkdtempSync(join(tmpdir(), 'cannery-safe-'));
  root = join(outer, 'source');
  mkdirSync(root);
  writeFileSync(join(outer, 'secret'), 'secret');
});
afterEach(() => rmSync(outer, { recursive: true, force: true }));

test('a file is written with the folders above it, in place of what is there', async () => {
  await writeInCheckout(root, 'a/b/c.txt', 'one');
  await writeInCheckout(root, 'a/b/c.txt', 'two');
  expect(readFileSync(join(root, 'a/b/c.txt'), 'utf8')).toBe('two');
  mkdirSync(join(root, 'folder/inside'), { recursive: true });
  await writeInCheckout(root, 'folder', 'file');
  expect(readFileSync(join(root, 'folder'), 'utf8')).toBe('file');
});

test('a link is never written through, whether it is the file, one of two names, or a folder above', async () => {
  symlinkSync('../secret', join(root, 'link'));
  await writeInCheckout(root, 'link', 'mine');
  linkSync(join(outer, 'secret'), join(root, 'second-name'));
  await writeInCheckout(root, 'second-name', 'mine');
  symlinkSync('..', join(root, 'up'));
  await expect(writeInCheckout(root, 'up/new', 'mine')).rejects.toThrow('up is a link or a file');
  await expect(writeInCheckout(root, 'up/deeper/new', 'mine')).rejects.toThrow('up is a link or a file');
  expect(readFileSync(join(outer, 'secret'), 'utf8')).toBe('secret');
  expect(existsSync(join(outer, 'new'))).toBe(false);
});

test('a file is read through links as long as they stay inside', async () => {
  writeFileSync(join(root, 'real'), 'text');
  symlinkSync('real', join(root, 'inside'));
  symlinkSync('../secret', join(root, 'outside'));
  symlinkSync('..', join(root, 'up'));
  expect((await readFromCheckout(root, 'inside', 100)).toString()).toBe('text');
  await expect(readFromCheckout(root, 'outside', 100)).rejects.toThrow('leads out of the repository');
  await expect(readFromCheckout(root, 'up/secret', 100)).rejects.toThrow('leads out of the repository');
  await expect(readFromCheckout(root, 'none', 100)).rejects.toThrow('is not there');
  await expect(readFromCheckout(root, '.', 100)).rejects.toThrow('leads out of the repository');
  await expect(readFromCheckout(root, 'real', 3)).rejects.toThrow('is larger than');
});

test('a folder, a pipe and a device are no files', async () => {
  mkdirSync(join(root, 'folder'));
  await expect(readFromCheckout(root, 'folder', 100)).rejects.toThrow('is not a file');
  execFileSync('mkfifo', [join(root, 'pipe')]);
  await expect(readFromCheckout(root, 'pipe', 100)).rejects.toThrow('is not a file');
});
