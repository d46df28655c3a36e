import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { openBlobFolder } from './blob-folder.ts';
import type { BlobStore } from './blob-store.ts';
import { describeBlobStore } from './blob-store.suite.testing.ts';

let folder: string;
let store: BlobStore;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'blobs-'));
  store = await openBlobFolder(folder);
});
afterEach(() => rm(folder, { recursive: true }));

async function names(): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  return entries.filter((entry) => entry.isFile()).map(({ name }) => name);
}

describeBlobStore('a folder', () => ({
  store,
  names,
  damage: (hash) => writeFile(join(folder, hash.slice(0, 2), hash), 'abd'),
}));

test('what a crash left half-written goes at the next start', async () => {
  await store.receive([Buffer.from('abc')]);
  expect(await names()).toHaveLength(1);
  await openBlobFolder(folder);
  expect(await names()).toEqual([]);
});
