import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { RunningServer } from '../../src/start-server.ts';
import { ApiClient } from '../support/client.ts';
import {
  besideOf,
  LFS_JSON,
  LfsClient,
  lfsClients,
  lfsFile,
  refusal,
  someFile,
} from '../support/lfs-client.ts';
import { NO_NETWORK, startTestServer } from '../support/server.ts';

let folder: string;
let server: RunningServer;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'cannery-lfs-'));
  server = await start();
});
afterAll(async () => {
  await server.close();
  await rm(folder, { recursive: true, force: true });
});

function start(): Promise<RunningServer> {
  return startTestServer({
    IC_URL: NO_NETWORK,
    DATA_DIR: join(folder, 'data'),
  });
}

const { tokenOf, lfsOf } = lfsClients(() => server.url);
const besideRepositories = (owner: string) => besideOf(join(folder, 'data/git', owner));

describe('files of Git LFS', () => {
  test('are brought, checked and fetched, whole and from somewhere on', async () => {
    const lfs = await lfsOf('ada', 'pictures');
    const file = someFile(300_000);
    const [asked] = (await lfs.batch('upload', [file])).objects;
    expect(asked?.actions?.upload?.href).toBe(`${lfs.base}/objects/${file.oid}/${file.size}`);
    expect(await lfs.upload(file)).toBe(200);
    expect(await lfs.download(file)).toEqual(file.bytes);
    // Nothing is to be done for what is there already.
    expect((await lfs.batch('upload', [file])).objects).toEqual([{ oid: file.oid, size: file.size }]);

    const href = `objects/${file.oid}/${file.size}`;
    const part = await lfs.fetch(href, { headers: { range: 'bytes=299000-' } });
    expect([part.status, part.headers.get('content-range')]).toEqual([206, 'bytes 299000-299999/300000']);
    expect(Buffer.from(await part.arrayBuffer())).toEqual(file.bytes.subarray(299_000));
    expect((await lfs.fetch(href, { headers: { range: 'bytes=300000-' } })).status).toBe(416);
    const empty = lfsFile(Buffer.alloc(0));
    expect(await lfs.upload(empty)).toBe(200);
    expect(await lfs.download(empty)).toEqual(empty.bytes);
  });

  test('go with their repository: another name keeps them, deletion takes them', async () => {
    const lfs = await lfsOf('ada', 'first');
    const file = someFile(1_000);
    expect(await lfs.upload(file)).toBe(200);
    const ada = await ApiClient.signIn(server.url, 'ada');
    expect((await ada.post('/repository/rename/ada/first', { new_name: 'second' })).status).toBe(200);
    const second = await lfsOf('ada', 'second');
    expect(await second.download(file)).toEqual(file.bytes);
    expect((await refusal(lfs.fetch(`objects/${file.oid}/${file.size}`))).status).toBe(404);
    expect((await ada.delete('/repository/content/ada/second')).status).toBe(200);
    expect((await refusal(second.fetch(`objects/${file.oid}/${file.size}`))).status).toBe(404);
    // One of the same name begins with none.
    await (await lfsOf('ada', 'second')).batch('upload', [file]);
    expect(await second.download(file)).toBeNull();
  });

  test('have no locks, which a client is told in its form', async () => {
    const lfs = await lfsOf('ada', 'pictures');
    for (const path of ['locks', 'locks/verify', 'locks/1/unlock']) {
      const answer = await refusal(lfs.ask(path, {}));
      expect([answer.status, answer.type, answer.message]).toEqual([
        404,
        LFS_JSON,
        'This host has no locks.',
      ]);
    }
  });

  test('need a token, and another user has none of them', async () => {
    const file = someFile(1_000);
    expect(await (await lfsOf('ada', 'secret')).upload(file)).toBe(200);
    const path = `objects/${file.oid}/${file.size}`;
    const named = { oid: file.oid, size: file.size };
    for (const token of [undefined, 'wrong', `${await tokenOf('ada')}x`]) {
      const stranger = new LfsClient(server.url, 'ada/secret', token);
      for (const answering of [
        stranger.fetch(path),
        stranger.fetch(path, { method: 'PUT', body: 'x' }),
        stranger.ask('objects/batch', { operation: 'download', objects: [named] }),
        stranger.ask('verify', named),
      ]) {
        const { status, headers, type } = await refusal(answering);
        expect([status, type]).toEqual([401, LFS_JSON]);
        expect(headers.get('lfs-authenticate')).toMatch(/^Basic /);
      }
    }
    const eve = await lfsOf('ada', 'secret', 'eve');
    const absent = await lfsOf('ada', 'no-such', 'eve');
    for (const call of [
      (lfs: LfsClient) => lfs.fetch(path),
      (lfs: LfsClient) => lfs.fetch(path, { method: 'PUT', body: new Uint8Array(file.bytes) }),
      (lfs: LfsClient) => lfs.ask('objects/batch', { operation: 'download', objects: [named] }),
      (lfs: LfsClient) => lfs.ask('objects/batch', { operation: 'upload', objects: [named] }),
      (lfs: LfsClient) => lfs.ask('verify', named),
    ]) {
      const foreign = await refusal(call(eve));
      const none = await refusal(call(absent));
      expect(foreign.status).toBe(404);
      expect([foreign.status, foreign.message]).toEqual([none.status, none.message]);
    }
    // By its id alone nobody learns whether somebody else has an object, nor the same user of another repository.
    for (const [login, name] of [
      ['eve', 'mine'],
      ['ada', 'other'],
    ] as const) {
      const own = await lfsOf(login, name);
      expect((await own.batch('upload', [file])).objects[0]?.actions?.upload).toBeDefined();
      expect(await own.download(file)).toBeNull();
      expect((await refusal(own.fetch(path))).status).toBe(404);
      expect((await refusal(own.ask('verify', named))).status).toBe(404);
    }
  });
});

test('what a killed server leaves of files under way is removed at the next start', async () => {
  const lfs = await lfsOf('ada', 'restart');
  const file = someFile(1_000);
  expect(await lfs.upload(file)).toBe(200);
  const owner = join(folder, 'data/git/ada');
  await writeFile(join(owner, '.new-half'), 'half of an object');
  await server.close();
  server = await start();
  expect(await besideRepositories('ada')).toEqual([]);
  const again = await lfsOf('ada', 'restart');
  expect(await again.download(file)).toEqual(file.bytes);
});
