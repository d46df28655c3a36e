import { createHash } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { openBlobBucket } from '../../src/blobs/blob-bucket.ts';
import type { BlobStore } from '../../src/blobs/blob-store.ts';
import { configOf } from '../../src/config/config.ts';
import { readEnv } from '../../src/config/env.ts';
import { type S3Service, startS3Service } from './s3-service.ts';

/** A bucket that is slow, answers with something else, or says nothing more. */

const SILENT_MS = 300;
/** Sendings of one request, and the pauses between them. */
const LONGEST_MS = 15_000;
const AWAY = { code: 'storage_unavailable' };

let service: S3Service;
let folder: string;
let store: BlobStore;
beforeEach(async () => {
  service = await startS3Service();
  folder = await mkdtemp(join(tmpdir(), 'cannery-wrong-bucket-'));
  const { bucket } = configOf(readEnv({ ...service.settings, DATA_DIR: folder }));
  if (bucket === undefined) throw new Error('The settings name a bucket.');
  store = await openBlobBucket(join(folder, 'incoming'), bucket, { silentMs: SILENT_MS });
});
afterEach(async () => {
  await service[Symbol.asyncDispose]();
  await rm(folder, { recursive: true, force: true });
});

const content = Buffer.alloc(200_000, 'content ');

async function kept(): Promise<string> {
  const incoming = await store.receive([content]);
  await incoming.keep();
  return incoming.hash;
}

test.each(['page', 'forbidden', 'error', 'silent'] as const)(
  'content is never said to be kept by a service that answers with: %s',
  async (fault) => {
    const incoming = await store.receive([content]);
    service.failNext(4, fault);
    const start = performance.now();
    await expect(incoming.keep()).rejects.toMatchObject(AWAY);
    expect(performance.now() - start).toBeLessThan(LONGEST_MS);
    service.failNext(0);
    expect(await service.names()).toEqual([]);
    await incoming.keep();
    expect((await store.get(incoming.hash)).equals(content)).toBe(true);
  },
);

test.each(['page', 'forbidden', 'error', 'silent', 'short', 'stalled'] as const)(
  'content that cannot be fetched is there again later, after an answer that is: %s',
  async (fault) => {
    const hash = await kept();
    service.failNext(4, fault);
    const start = performance.now();
    await expect(store.get(hash)).rejects.toMatchObject(AWAY);
    expect(performance.now() - start).toBeLessThan(LONGEST_MS);
    service.failNext(0);
    expect((await store.get(hash)).equals(content)).toBe(true);
  },
);

test('wrong bytes are noticed: once they are fetched again, always they are damage', async () => {
  const hash = await kept();
  service.failNext(1, 'wrong');
  expect(
    createHash('sha256')
      .update(await store.get(hash))
      .digest('hex'),
  ).toBe(hash);
  service.failNext(2, 'wrong');
  await expect(store.get(hash)).rejects.toMatchObject({ name: 'DamagedBlobError' });
  service.failNext(1, 'wrong');
  await expect(Array.fromAsync(store.read(hash))).rejects.toMatchObject({ name: 'DamagedBlobError' });
});
