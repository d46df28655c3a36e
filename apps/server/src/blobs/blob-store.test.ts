import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { openBlobFolder } from './blob-store.ts';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'blobs-'));
});
afterEach(() => rm(folder, { recursive: true }));

test('content is found again by its SHA-256', async () => {
  const store = await openBlobFolder(folder);
  const stored = await store.put(Buffer.from('abc'));
  expect(stored).toEqual({
    hash: 'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad',
    size: 3,
  });
  expect((await store.get(stored.hash)).toString()).toBe('abc');
  expect(await store.put(Buffer.from('abc'))).toEqual(stored);
  expect(await store.has(stored.hash)).toBe(true);
  expect(await store.has('0'.repeat(64))).toBe(false);
});

test('a stream that fails leaves nothing behind', async () => {
  const store = await openBlobFolder(folder);
  async function* failing(): AsyncGenerator<Uint8Array> {
    yield Buffer.from('half');
    throw new Error('cut off');
  }
  await expect(store.put(failing())).rejects.toThrow('cut off');
  expect(await readdir(join(folder, 'incoming'))).toEqual([]);
  expect(await readdir(folder)).toEqual(['incoming']);
});

test('a blob that changed on disk is not served', async () => {
  const store = await openBlobFolder(folder);
  const { hash } = await store.put(Buffer.from('as it was'));
  const path = join(folder, hash.slice(0, 2), hash);
  await writeFile(path, 'as it wos');
  await expect(store.get(hash)).rejects.toThrow(`${path} is damaged`);
});

test('only a hash names a blob', async () => {
  const store = await openBlobFolder(folder);
  expect(() => store.get('../../etc/passwd')).toThrow(/64 hex digits/);
});
