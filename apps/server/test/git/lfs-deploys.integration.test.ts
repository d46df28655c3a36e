import { randomBytes } from 'node:crypto';
import { readdirSync } from 'node:fs';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { type DeployAnswer } from '@cannery/contract';
import { createApi, type GitServer, signIn, startGitServer } from '@cannery/dev-env';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type DeployClient, startDeployClient } from '../support/deploy-client.ts';
import { LfsClient, type LfsFile, lfsFile, openPut, pointerOf } from '../support/lfs-client.ts';

/** What the host outside answers for an object, by its id. */
type Giving = (request: IncomingMessage, response: ServerResponse) => void;

let outside: GitServer;
/** A host that no list names. */
let stranger: GitServer;
let client: DeployClient;
const places = new Map<string, (host: string) => string>();
const giving = new Map<string, Giving>();
const asked: { path: string; headers: IncomingMessage['headers']; body: string }[] = [];

beforeAll(async () => {
  outside = await startGitServer(answerLfs);
  stranger = await startGitServer(answerLfs);
  client = await startDeployClient({
    env: {
      GIT_HOSTS: `github.com, ${outside.host}`,
      EGRESS_PRIVATE_HOSTS: outside.host,
      GIT_CA_FILE: outside.caFile,
      PUSHES_PER_MINUTE: '1000',
    },
  });
});
afterAll(async () => {
  await client.dispose();
  await outside.close();
  await stranger.close();
});

/** A host that knows the batch API. */
function answerLfs(request: IncomingMessage, response: ServerResponse): boolean {
  const path = request.url ?? '';
  const [, oid = ''] = /^\/objects\/(\w{64})/.exec(path) ?? [];
  const give = giving.get(oid);
  if (give === undefined && !path.endsWith('/info/lfs/objects/batch')) return false;
  let body = '';
  request.on('data', (piece: Buffer) => {
    body += piece.toString();
  });
  request.on('end', () => {
    asked.push({ path, headers: request.headers, body });
    if (give !== undefined) return give(request, response);
    const { objects } = JSON.parse(body) as { objects: { oid: string; size: number }[] };
    const found = objects.map(({ oid: id, size }) => {
      const href = places.get(id)?.(outside.host);
      return href === undefined
        ? { oid: id, size, error: { code: 404, message: 'Object does not exist' } }
        : { oid: id, size, actions: { download: { href } } };
    });
    response.setHeader('content-type', 'application/vnd.git-lfs+json');
    response.end(JSON.stringify({ transfer: 'basic', objects: found }));
  });
  return true;
}

const here = (oid: string) => (host: string) => `https://${host}/objects/${oid}?signature=x`;
const some = (bytes: number) => lfsFile(randomBytes(bytes));

/** A file of the host outside. */
function outsideFile(bytes: number, give?: Giving, place?: (oid: string) => string): LfsFile {
  const file = some(bytes);
  places.set(file.oid, place === undefined ? here(file.oid) : () => place(file.oid));
  giving.set(file.oid, give ?? ((_, response) => response.end(file.bytes)));
  return file;
}

async function served(id: string, path: string): Promise<Buffer> {
  const { canisters } = await client.ada.call<DeployAnswer>('GET', `/deploy/${id}`);
  const answer = await fetch(`${client.product.networkUrl}${path}?canisterId=${canisters[0]}`);
  return Buffer.from(await answer.arrayBuffer());
}

async function tokenOf(login: string): Promise<string> {
  const api = createApi(client.product.url, await signIn(client.product.url, login));
  return (await api.call<{ secret: string }>('POST', '/repository/tokens', { label: 'x' })).secret;
}

const page = { 'index.html': '<h1>Site</h1>', '404.html': 'Lost' };

test('files of Git LFS of an own repository are published with their content; others stay pointers and are named', async () => {
  const lfs = new LfsClient(client.product.url, 'ada/gallery', await tokenOf('ada'));
  const eve = new LfsClient(client.product.url, 'eve/gallery', await tokenOf('eve'));
  const picture = some(200_000);
  const tool = lfsFile(Buffer.from('#!/bin/sh\necho made > made.txt\n'));
  const never = some(10);
  const eves = some(1_000);
  const many = Array.from({ length: 200 }, () => some(600));
  await client.push('gallery', {
    ...page,
    '.gitattributes': '*.png filter=lfs diff=lfs merge=lfs -text\n',
    'logo.png': picture.pointer,
    'again/logo.png': picture.pointer.replaceAll('\n', '\r\n'),
    'never.png': never.pointer,
    'eves.png': eves.pointer,
    'larger.png': pointerOf(some(1).oid, 5 * 1024 ** 3),
    'extended.png': picture.pointer.replace('oid', `ext-0-shrink sha256:${picture.oid}\noid`),
    'story.txt': `About pointers:\n${picture.pointer}`,
    'make.sh': tool.pointer,
    ...Object.fromEntries(many.map(({ pointer }, at) => [`many/${at}.png`, pointer])),
  });
  for (const file of [picture, tool, ...many]) expect(await lfs.upload(file)).toBe(200);
  expect(await eve.upload(eves)).toBe(200);
  const id = await client.create('gallery', 'STATIC_SITE', { build_command: 'sh make.sh' });
  const { status, logs } = await client.run(id);
  expect([status, logs]).toEqual(['COMPLETED', expect.stringContaining('Git LFS: 203 files, 508 kB')]);
  for (const path of ['/logo.png', '/again/logo.png']) expect(await served(id, path)).toEqual(picture.bytes);
  for (const at of [0, 199]) expect(await served(id, `/many/${at}.png`)).toEqual(many[at]?.bytes);
  expect((await served(id, '/made.txt')).toString()).toBe('made\n');
  expect((await served(id, '/never.png')).toString()).toBe(never.pointer);
  expect((await served(id, '/story.txt')).toString()).toContain('About pointers');
  const lines = (logs ?? '').split('\n').filter((line) => line.startsWith('Files of Git LFS that stay'));
  expect(lines.toSorted()).toEqual([
    expect.stringMatching(/: eves\.png, never\.png\. The repository has no such object\. Push it: /),
    expect.stringMatching(/: extended\.png\. A program of their author has to read them/),
    expect.stringMatching(/: larger\.png\. The files of a repository may have 2048 MB together\./),
  ]);
  expect(logs).toMatch(/4 files of the site are Git LFS pointers/);
});

describe('files of Git LFS of a public repository of another host', () => {
  test('are fetched by its batch API, without credentials, also through redirects of the same host', async () => {
    const picture = outsideFile(300_000);
    const sentOn = outsideFile(1_000, (_, response) => {
      response.writeHead(302, { location: `/objects/${picture.oid}/other` }).end();
    });
    const moved = outsideFile(2_000);
    giving.set(moved.oid, (request, response) =>
      request.url?.endsWith('/there')
        ? response.end(moved.bytes)
        : response.writeHead(307, { location: `/objects/${moved.oid}/there` }).end(),
    );
    const many = Array.from({ length: 120 }, () => outsideFile(500));
    await outside.commit('far/gallery', {
      ...page,
      '.lfsconfig': '[lfs]\n\turl = https://evil.example/lfs\n',
      'logo.png': picture.pointer,
      'moved.png': moved.pointer,
      'sent-on.png': sentOn.pointer,
      ...Object.fromEntries(many.map(({ pointer }, at) => [`many/${at}.png`, pointer])),
    });
    const id = await client.create('far', 'STATIC_SITE', { url: `${outside.url}/far/gallery` });
    asked.length = 0;
    const { status, logs } = await client.run(id);
    expect([status, logs]).toEqual(['COMPLETED', expect.stringContaining('Git LFS: 122 files')]);
    expect(await served(id, '/logo.png')).toEqual(picture.bytes);
    expect(await served(id, '/moved.png')).toEqual(moved.bytes);
    for (const [at, file] of many.entries()) expect(await served(id, `/many/${at}.png`)).toEqual(file.bytes);
    expect(logs).toContain('sent-on.png. What their host gives out is not what the pointers say.');
    const batches = asked.filter(({ path }) => path.endsWith('/batch'));
    expect(batches.map(({ path }) => path)).toEqual(Array(2).fill('/far/gallery.git/info/lfs/objects/batch'));
    expect(asked.filter(({ headers }) => 'authorization' in headers || 'cookie' in headers)).toEqual([]);
  });

  test('of which a hostile host gives others, leads elsewhere or does not end, stay pointers', async () => {
    let endless = 0;
    const hostile: Record<string, LfsFile> = {
      'other.png': outsideFile(1_000, (_, response) => response.end(randomBytes(1_000))),
      'more.png': outsideFile(1_000, (_, response) => response.end(randomBytes(5_000))),
      'fewer.png': outsideFile(1_000, (_, response) => response.end(randomBytes(10))),
      'endless.png': outsideFile(1_000, (_, response) => {
        const more = (): void => {
          endless += 1;
          while (!response.destroyed && response.write(Buffer.alloc(64 * 1024)));
          response.once('drain', more);
        };
        more();
      }),
      'cut.png': outsideFile(100_000, (_, response) => {
        response.writeHead(200, { 'content-length': 100_000 });
        response.write(randomBytes(10_000), () => response.destroy());
      }),
      'refused.png': outsideFile(1_000, (_, response) => response.writeHead(403).end('no')),
      'inner.png': outsideFile(1_000, undefined, (oid) => here(oid)(stranger.host)),
      'console.png': outsideFile(
        1_000,
        undefined,
        () => `${client.product.url.replace('http', 'https')}/api`,
      ),
      'metadata.png': outsideFile(1_000, undefined, () => 'https://169.254.169.254/latest/meta-data'),
      'plain.png': outsideFile(1_000, undefined, () => 'http://example.com/x'),
      'file.png': outsideFile(1_000, undefined, () => 'file:///etc/passwd'),
      'password.png': outsideFile(1_000, undefined, (oid) => `https://a:b@${outside.host}/objects/${oid}`),
      'circle.png': outsideFile(1_000, (request, response) =>
        response.writeHead(302, { location: request.url }).end(),
      ),
      'sent-inside.png': outsideFile(1_000, (_, response) =>
        response.writeHead(302, { location: `https://${stranger.host}/objects/x` }).end(),
      ),
      'sent-plain.png': outsideFile(1_000, (_, response) =>
        response.writeHead(302, { location: 'http://127.0.0.1/x' }).end(),
      ),
      'absent.png': some(1_000),
    };
    const honest = outsideFile(1_000);
    await outside.commit('evil/gallery', {
      ...page,
      ...Object.fromEntries(Object.entries(hostile).map(([path, { pointer }]) => [path, pointer])),
      'honest.png': honest.pointer,
    });
    const id = await client.create('evil', 'STATIC_SITE', { url: `${outside.url}/evil/gallery` });
    const before = stranger.requests.length;
    const { status, logs } = await client.run(id);
    expect([status, logs]).toEqual(['COMPLETED', expect.stringContaining('Git LFS: 1 file, 1000 B')]);
    expect(await served(id, '/honest.png')).toEqual(honest.bytes);
    const left = (logs ?? '').split('\n').filter((line) => line.startsWith('Files of Git LFS that stay'));
    for (const [path, { pointer }] of Object.entries(hostile)) {
      expect(
        left.filter((line) => line.includes(path)),
        path,
      ).toHaveLength(1);
      expect((await served(id, `/${path}`)).toString()).toBe(pointer);
    }
    expect(left.join('\n')).toContain('absent.png. The host says: Object does not exist');
    expect(stranger.requests).toHaveLength(before);
    expect(endless).toBeLessThan(200);
  });
});

test('a server that is killed while files come has none of them afterwards, and no rest of them', async () => {
  const { product } = client;
  const token = await tokenOf('ada');
  const lfs = new LfsClient(product.url, 'ada/cut-off', token);
  await lfs.batch('upload', []);
  const file = some(1_000_000);
  const whole = some(1_000);
  expect(await lfs.upload(whole)).toBe(200);
  const beside = () =>
    readdirSync(join(product.dataDir, 'git', 'ada')).filter((name) => !name.endsWith('.git'));
  const { socket, answered } = openPut(lfs, `objects/${file.oid}/${file.size}`, token);
  socket.write(file.bytes.subarray(0, 500_000));
  while (beside().length === 0) await delay(20);
  await product.kill();
  expect(await answered.catch(() => 'cut')).toBe('cut');
  expect(beside()).toHaveLength(1);
  await product.restart();
  expect(beside()).toEqual([]);
  expect(await lfs.download(file)).toBeNull();
  expect(await lfs.download(whole)).toEqual(whole.bytes);
  expect(await lfs.upload(file)).toBe(200);
  expect(await lfs.download(file)).toEqual(file.bytes);
});
