import { writeFileSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { openBlobBucket } from '../../src/blobs/blob-bucket.ts';
import { openBlobs } from '../../src/blobs/open-blobs.ts';
import type { BlobStore } from '../../src/blobs/blob-store.ts';
import { describeBlobStore } from '../../src/blobs/blob-store.suite.testing.ts';
import { configOf } from '../../src/config/config.ts';
import { type EnvInput, readEnv } from '../../src/config/env.ts';
import { ApiClient } from '../support/client.ts';
import { custom, moduleOf } from '../support/modules.ts';
import { pngOf } from '../support/pictures.ts';
import { type S3Service, startS3Service } from './s3-service.ts';
import { NO_NETWORK, startTestServer } from '../support/server.ts';

let service: S3Service;
let folder: string;
let store: BlobStore;
beforeEach(async () => {
  service = await startS3Service();
  folder = await mkdtemp(join(tmpdir(), 'cannery-bucket-'));
  store = await opened({});
});
afterEach(async () => {
  await service[Symbol.asyncDispose]();
  await rm(folder, { recursive: true, force: true });
});

function opened(settings: EnvInput): Promise<BlobStore> {
  return openBlobs(configOf(readEnv({ ...service.settings, DATA_DIR: folder, ...settings })));
}

describeBlobStore('a bucket', () => ({
  store,
  names: () => service.names(),
  damage: (hash) => writeFile(service.fileOf(`${hash.slice(0, 2)}/${hash}`), 'abd'),
}));

test.each([
  ['one piece', 100_000],
  ['several pieces', 20_000_000],
])('a service that fails now and then gets %s whole', async (_what, bytes) => {
  const incoming = await store.receive([Buffer.alloc(bytes, 'x')]);
  service.failNext(2);
  await incoming.keep();
  expect(await store.get(incoming.hash)).toHaveLength(bytes);
});

test('a service that is away is a typed error, and what was received can be kept later', async () => {
  const incoming = await store.receive([Buffer.from('abc')]);
  await service.stop();
  const away = { code: 'storage_unavailable', message: 'The storage of uploads cannot be reached.' };
  await expect(incoming.keep()).rejects.toMatchObject(away);
  await expect(store.get(incoming.hash)).rejects.toMatchObject(away);
  await expect(store.has(incoming.hash)).rejects.toMatchObject(away);
  await expect(store.remove(incoming.hash)).rejects.toMatchObject(away);
  await service.start();
  await incoming.keep();
  expect((await store.get(incoming.hash)).toString()).toBe('abc');
});

test.each(['silent', 'stuck'] as const)(
  'a service that is %s is a typed error after a while, and what was received can be kept later',
  async (how) => {
    const { bucket } = configOf(readEnv({ ...service.settings, DATA_DIR: folder }));
    if (bucket === undefined) throw new Error('There are no settings of a bucket.');
    const patience = { requestMs: 400, silentMs: 400 };
    const hasty = await openBlobBucket(join(folder, 'hasty'), bucket, patience);
    const incoming = await hasty.receive([Buffer.from('abc')]);
    service.misbehave(how);
    const away = { code: 'storage_unavailable' };
    await Promise.all([
      ...(how === 'silent' ? [expect(incoming.keep()).rejects.toMatchObject(away)] : []),
      expect(hasty.get(incoming.hash)).rejects.toMatchObject(away),
      expect(Array.fromAsync(hasty.read(incoming.hash))).rejects.toMatchObject(away),
    ]);
    service.misbehave(undefined);
    await incoming.keep();
    expect((await hasty.get(incoming.hash)).toString()).toBe('abc');
  },
);

test('a proxy that answers everything with a page is not believed: nothing counts as kept, and nothing is served', async () => {
  const kept = await store.receive([Buffer.from('abc')]);
  await kept.keep();
  const incoming = await store.receive([Buffer.from('abcd')]);
  service.misbehave('page');
  await expect(incoming.keep()).rejects.toMatchObject({ code: 'storage_unavailable' });
  await expect(store.get(kept.hash)).rejects.toMatchObject({ code: 'storage_unavailable' });
  service.misbehave(undefined);
  expect(await store.has(incoming.hash)).toBe(false);
  await incoming.keep();
  expect((await store.get(incoming.hash)).toString()).toBe('abcd');
  expect((await store.get(kept.hash)).toString()).toBe('abc');
});

test.each([
  ['another bucket', { BLOBS_S3_BUCKET: 'elsewhere' }, /bucket elsewhere at .* status 404 \(NoSuchBucket\)/],
  [
    'a wrong key',
    { BLOBS_S3_SECRET_KEY: 'wrong' },
    /bucket uploads at .* status 403 \(SignatureDoesNotMatch\)/,
  ],
  ['an address where nobody is', { BLOBS_S3_URL: 'http://127.0.0.1:9' }, /ECONNREFUSED/],
])('the server does not start with %s, and says why', async (_what, settings, reason) => {
  await expect(opened(settings)).rejects.toMatchObject({
    name: 'StartError',
    message: expect.stringMatching(reason),
  });
});

test('what another process puts at the same time counts as kept once it is whole, and what stays cut is told of', async () => {
  const content = Buffer.alloc(100_000, 'x');
  const incoming = await store.receive([content]);
  const object = service.fileOf(`${incoming.hash.slice(0, 2)}/${incoming.hash}`);
  let cuts = 0;
  /** Has the service show half of the object when it is looked at, while another process writes it again. */
  const cutAt = (which: (look: number) => boolean) =>
    service.hold(({ method }) => {
      if (method === 'HEAD') writeFileSync(object, which(cuts++) ? content.subarray(0, 50_000) : content);
      return false;
    });
  cutAt((look) => look < 2);
  await incoming.keep();
  expect(cuts).toBe(3);
  expect(await store.get(incoming.hash)).toEqual(content);
  cutAt(() => true);
  await expect(incoming.keep()).rejects.toMatchObject({ code: 'storage_unavailable' });
});

test('the settings belong together', () => {
  expect(() => configOf(readEnv({ BLOBS_S3_URL: 'http://127.0.0.1:9' }))).toThrow('set all four');
});

test('[API-20] [API-21] [API-22] the product keeps modules and icons in a bucket', async () => {
  const server = await startTestServer({ ...service.settings, IC_URL: NO_NETWORK });
  try {
    const ada = await ApiClient.signIn(server.url, 'ada');
    const large = moduleOf({
      exports: ['canister_query a'],
      after: [custom('filling', Buffer.alloc(9_000_000))],
    });
    const module = await ada.uploadWasm(large);
    const icon = await ada.uploadIcon(pngOf('red'));
    expect((await service.names()).toSorted()).toEqual([module, icon].toSorted());
    expect((await ada.get(`/document/get/${icon}`)).status).toBe(200);

    const before = service.requests();
    expect((await ada.upload('/document/upload', 'wasm', Buffer.from('no module'))).status).toBe(400);
    expect(service.requests()).toBe(before);

    service.misbehave('page');
    const wrong = await ada.get(`/document/get/${icon}`);
    expect([wrong.status, wrong.body.code]).toEqual([503, 'storage_unavailable']);
    const lost = await ada.upload('/document/upload/icon', 'icon', pngOf('green'));
    expect([lost.status, lost.body.code]).toEqual([503, 'storage_unavailable']);
    service.misbehave(undefined);

    await service.stop();
    const answer = await ada.get(`/document/get/${icon}`);
    expect([answer.status, answer.body.code]).toEqual([503, 'storage_unavailable']);
    const refused = await ada.upload('/document/upload/icon', 'icon', pngOf('blue'));
    expect([refused.status, refused.body.code]).toEqual([503, 'storage_unavailable']);
    expect((await ada.get('/user/profile')).status).toBe(200);
    await service.start();
    expect((await ada.get(`/document/get/${icon}`)).status).toBe(200);
  } finally {
    await server.close();
  }
});
