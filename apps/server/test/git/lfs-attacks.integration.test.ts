import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { git } from '@cannery/dev-env';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { RunningServer } from '../../src/start-server.ts';
import { ApiClient } from '../support/client.ts';
import { workOf } from '../support/git-work.ts';
import {
  besideOf,
  lfsClients,
  someFile,
  LFS_JSON,
  openPut,
  openRequest,
  refusal,
} from '../support/lfs-client.ts';
import { NO_NETWORK, startTestServer } from '../support/server.ts';

const MIB = 1024 * 1024;

let folder: string;
let server: RunningServer;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'cannery-lfs-attacks-'));
  server = await startTestServer({
    IC_URL: NO_NETWORK,
    REPOSITORY_MB: 3,
    GIT_MB: 5,
    PUSHES_PER_MINUTE: 200,
    DATA_DIR: join(folder, 'data'),
  });
});
afterAll(async () => {
  await server.close();
  await rm(folder, { recursive: true, force: true });
});

const { tokenOf, lfsOf } = lfsClients(() => server.url);

async function remote(owner: string, name: string): Promise<string> {
  return `${server.url.replace('://', `://x:${await tokenOf(owner)}@`)}/${owner}/${name}.git`;
}

const besideRepositories = (owner: string) => besideOf(join(folder, 'data/git', owner));

test('a hostile client cannot bring other bytes, more or fewer than it says', async () => {
  const lfs = await lfsOf('mallory', 'lies');
  const file = someFile(2_000);
  await lfs.batch('upload', [file]);
  const lies: [string, { oid: string; size: number }, Buffer][] = [
    ['other bytes', file, randomBytes(file.size)],
    ['more', file, Buffer.concat([file.bytes, file.bytes])],
    ['fewer', file, file.bytes.subarray(1)],
    ['a smaller size', { oid: file.oid, size: file.size - 1 }, file.bytes],
    ['a larger size', { oid: file.oid, size: file.size + 1 }, file.bytes],
  ];
  for (const [what, object, bytes] of lies) {
    const { status, type } = await lfs.put(object, bytes);
    expect([what, status, type]).toEqual([what, 422, LFS_JSON]);
  }
  expect(await lfs.download(file)).toBeNull();
  expect(await besideRepositories('mallory')).toEqual([]);
  expect(await lfs.upload(file)).toBe(200);
  expect(await lfs.download({ ...file, size: file.size + 1 })).toBeNull();
  const verified = await refusal(lfs.ask('verify', { oid: file.oid, size: file.size - 1 }));
  expect(verified.status).toBe(404);
});

test('a hostile client is told in the form of Git LFS what is wrong with an id, a size, a number or a body', async () => {
  const lfs = await lfsOf('mallory', 'lies');
  const { oid } = someFile(1);
  const oids = [
    '../'.repeat(21),
    `../${oid.slice(3)}`,
    `${oid}/..`,
    '',
    oid.toUpperCase().replace(/^\d*/, 'A'),
    `${oid}\0`,
    7,
    null,
  ];
  const sizes = [-1, 0.5, 1e300, '1', null, Number.MAX_SAFE_INTEGER + 2];
  const batch = (objects: unknown) => ({ operation: 'upload', objects });
  const bodies: [unknown, number][] = [
    ...oids.map((one) => [batch([{ oid: one, size: 1 }]), 422] as [unknown, number]),
    ...sizes.map((one) => [batch([{ oid, size: one }]), 422] as [unknown, number]),
    [batch(Array.from({ length: 1_001 }, () => ({ oid, size: 1 }))), 413],
    [batch(Array.from({ length: 5_000 }, () => ({ oid, size: 1 }))), 413],
    [batch('many'), 422],
    [{ operation: 'delete', objects: [] }, 422],
    [{ operation: 'upload', objects: [], transfers: ['tus'] }, 422],
    [{ operation: 'upload', objects: [], hash_algo: 'sha1' }, 422],
    ['{"operation":', 422],
    ['null', 422],
    ['['.repeat(100_000), 413],
    [' '.repeat(300_000), 413],
  ];
  for (const [body, status] of bodies) {
    const answer = await refusal(lfs.ask('objects/batch', body));
    const what = JSON.stringify(body).slice(0, 200);
    expect([what, answer.status, answer.type]).toEqual([what, status, LFS_JSON]);
    expect(answer.message.length).toBeGreaterThan(10);
  }
  const [tooLarge] = (await lfs.batch('upload', [{ oid, size: 600 * MIB }])).objects;
  expect(tooLarge?.error).toEqual({ code: 422, message: 'A file may have 512 MiB at most.' });
});

test('a hostile client keeps no more of the memory with requests that do not end than a user may', async () => {
  const lfs = await lfsOf('mallory', 'lies');
  const token = await tokenOf('mallory');
  const half = Array.from({ length: 20 }, () => openRequest(lfs, 'POST', 'objects/batch', token));
  const statuses: (number | string)[] = [];
  for (const { answered } of half)
    answered.then(
      (status) => statuses.push(status),
      () => undefined,
    );
  for (const { socket } of half) socket.write(' '.repeat(200_000));
  await until(async () => statuses.length > 0);
  expect(new Set(statuses)).toEqual(new Set([429]));
  for (const { socket } of half) socket.destroy();
  // What was taken is free again.
  await until(
    async () => (await refusal(lfs.ask('verify', { oid: someFile(1).oid, size: 1 }))).status === 404,
  );
});

test('a hostile client leads to no other path by an id or a size in an address', async () => {
  const lfs = await lfsOf('mallory', 'lies');
  const { oid } = someFile(1);
  const dots = encodeURIComponent('../');
  for (const path of [
    `${dots}${oid.slice(6)}/1`,
    `${dots.repeat(3)}etc${encodeURIComponent('/')}passwd/1`,
    `${oid}/1${dots}`,
    `${oid}/-1`,
    `${oid}/1e3`,
    `${oid}/0x10`,
    `${oid}%00/1`,
    `${oid}/99999999999999999999`,
  ]) {
    for (const method of ['GET', 'PUT']) {
      const body = method === 'PUT' ? { body: 'x' } : {};
      const answer = await refusal(lfs.fetch(`objects/${path}`, { method, ...body }));
      expect([path, method, answer.status, answer.type]).toEqual([path, method, 422, LFS_JSON]);
    }
  }
  expect(await besideRepositories('mallory')).toEqual([]);
});

test('a hostile client brings with 20 uploads side by side no more than there is room for, and pushes count as well', async () => {
  const lfs = await lfsOf('greta', 'full');
  const files = Array.from({ length: 20 }, () => someFile(600_000));
  await lfs.batch('upload', files.slice(0, 1));
  const upload = async (file: (typeof files)[number]): Promise<number> => {
    for (;;) {
      const { status } = await lfs.put(file, file.bytes);
      // More wait for their turn than may.
      if (status !== 429) return status;
      await delay(50);
    }
  };
  const statuses = await Promise.all(files.map(upload));
  expect(statuses.filter((status) => status === 200)).toHaveLength(5);
  expect(statuses.filter((status) => status === 507)).toHaveLength(15);
  expect(await besideRepositories('greta')).toEqual([]);
  const { oid, size } = someFile(MIB);
  const refused = await refusal(lfs.ask('objects/batch', { operation: 'upload', objects: [{ oid, size }] }));
  expect([refused.status, refused.type]).toEqual([507, LFS_JSON]);
  expect(refused.message).toMatch(
    /^The file needs 1\.0 MiB, and your repositories have room for 0\.\d MiB more\./,
  );

  const push = async (name: string, bytes: number) =>
    git(['push', '-q', await remote('greta', name), 'main'], await workOf(folder, bytes));
  await expect(push('full', MIB)).rejects.toThrow(/exceeds maximum allowed size/);
  // Of five for all repositories some two are left.
  await push('second', 1.5 * MIB);
  await expect(push('third', 1.5 * MIB)).rejects.toThrow(/exceeds maximum allowed size/);
  const third = await lfsOf('greta', 'third');
  const large = someFile(1.5 * MIB);
  expect((await third.put(large, large.bytes)).status).toBe(507);
  const small = someFile(0.5 * MIB);
  expect((await third.put(small, small.bytes)).status).toBe(200);
});

test('a hostile client fills the disk with no tiny objects either: each takes a block', async () => {
  const lfs = await lfsOf('tiny', 'many');
  await lfs.batch('upload', []);
  const statuses: number[] = [];
  for (let sent = 0; sent < 800; sent += 8) {
    const files = Array.from({ length: 8 }, () => someFile(8));
    statuses.push(
      ...(await Promise.all(files.map(async (file) => (await lfs.put(file, file.bytes)).status))),
    );
  }
  const taken = statuses.filter((status) => status === 200).length;
  expect(statuses.every((status) => status === 200 || status === 507)).toBe(true);
  expect(taken * 4_096).toBeLessThanOrEqual(3 * MIB);
  expect(taken).toBeGreaterThan(700);
});

test('a hostile client that sends without end is cut off, and a body of another length is not taken', async () => {
  const lfs = await lfsOf('mallory', 'endless');
  const { oid } = someFile(1);
  await lfs.batch('upload', []);
  const { socket, answered } = openPut(lfs, `objects/${oid}/100000`, await tokenOf('mallory'));
  let sent = 0;
  const chunk = Buffer.alloc(64 * 1024);
  const closed = new Promise<void>((resolve) => socket.once('close', () => resolve()));
  const writing = setInterval(() => {
    if (socket.writableLength < 4 * MIB && socket.writable) {
      socket.write(chunk);
      sent += chunk.length;
    }
  }, 5);
  expect(await answered).toBe(422);
  await closed;
  clearInterval(writing);
  expect(sent).toBeLessThan(256 * MIB);
  expect(await besideRepositories('mallory')).toEqual([]);
});

test('a hostile client that goes away in the middle, or whose repository goes, leaves nothing', async () => {
  const lfs = await lfsOf('leaver', 'going');
  await lfs.batch('upload', []);
  const file = someFile(MIB);
  const half = file.bytes.subarray(0, MIB / 2);
  const token = await tokenOf('leaver');
  const gone = openPut(lfs, `objects/${file.oid}/${file.size}`, token);
  gone.socket.write(half);
  await until(async () => (await besideRepositories('leaver')).length === 1);
  gone.socket.destroy();
  await gone.answered.catch(() => undefined);
  await until(async () => (await besideRepositories('leaver')).length === 0);

  const cut = openPut(lfs, `objects/${file.oid}/${file.size}`, token);
  cut.socket.write(half);
  await until(async () => (await besideRepositories('leaver')).length === 1);
  const client = await ApiClient.signIn(server.url, 'leaver');
  expect((await client.delete('/repository/content/leaver/going')).status).toBe(200);
  // Another one of its name gets none of what was for the first.
  await lfs.batch('upload', []);
  cut.socket.end(file.bytes.subarray(half.length));
  expect(await cut.answered).toBe(404);
  expect(await lfs.download(file)).toBeNull();
  await until(async () => (await besideRepositories('leaver')).length === 0);
  // All of the room is there again.
  for (let round = 0; round < 2; round += 1) expect(await lfs.upload(someFile(1.4 * MIB))).toBe(200);
});

test('a hostile client that sends a byte now and then loses its connection, and others are served meanwhile', async () => {
  const lfs = await lfsOf('slow', 'drip');
  await lfs.batch('upload', []);
  const file = someFile(100_000);
  const token = await tokenOf('slow');
  const drips = Array.from({ length: 8 }, () => openPut(lfs, `objects/${file.oid}/${file.size}`, token));
  const ended = Promise.all(drips.map(({ answered }) => answered.catch(() => 'cut')));
  const dripping = setInterval(() => {
    for (const { socket } of drips) if (socket.writable) socket.write(Buffer.alloc(10));
  }, 500);
  const other = someFile(100_000);
  expect(await (await lfsOf('ada', 'meanwhile')).upload(other)).toBe(200);
  expect(await ended).toEqual(drips.map(() => 'cut'));
  clearInterval(dripping);
  expect(await lfs.upload(file)).toBe(200);
  expect(await besideRepositories('slow')).toEqual([]);
}, 120_000);

async function until(condition: () => Promise<boolean>): Promise<void> {
  for (let tries = 0; tries < 200; tries += 1) {
    if (await condition()) return;
    await delay(50);
  }
  throw new Error('It did not happen within ten seconds.');
}
