import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { git } from '@cannery/dev-env';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { RunningServer } from '../../src/start-server.ts';
import { ApiClient } from '../support/client.ts';
import { workOf } from '../support/git-work.ts';
import { NO_NETWORK, startTestServer } from '../support/server.ts';

const MIB = 1024 * 1024;

let folder: string;
let server: RunningServer;
let eve: ApiClient;
let secret: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'cannery-quotas-'));
  server = await startTestServer({
    IC_URL: NO_NETWORK,
    MAX_REPOSITORIES: 4,
    REPOSITORY_MB: 3,
    GIT_MB: 4,
    UPLOAD_MB: 1,
    MAX_REFS: 10,
    PUSHES_PER_MINUTE: 40,
    OPEN_BUILDS_PER_USER: 3,
    DATA_DIR: join(folder, 'data'),
  });
  eve = await ApiClient.signIn(server.url, 'eve');
  secret = await newToken(eve);
});

afterAll(async () => {
  await server.close();
  await rm(folder, { recursive: true, force: true });
});

async function newToken(client: ApiClient): Promise<string> {
  return String((await client.post('/repository/tokens', { label: 'x' })).body.secret);
}

const remote = (name: string, token = secret, owner = 'eve') =>
  `${server.url.replace('://', `://x:${token}@`)}/${owner}/${name}.git`;

const work = (bytes: number): Promise<string> => workOf(folder, bytes);

/** 'taken', or what git prints of a push that fails. */
async function pushed(path: string, ...args: string[]): Promise<string> {
  return promisify(execFile)('git', ['push', ...args], {
    cwd: path,
    env: { ...process.env, GIT_TERMINAL_PROMPT: '0', LC_ALL: 'C' },
  }).then(
    () => 'taken',
    (error: { stderr: string }) => error.stderr,
  );
}

/** What git prints of a push that must fail. */
async function refused(path: string, ...args: string[]): Promise<string> {
  const text = await pushed(path, ...args);
  expect(text, 'the push was taken').not.toBe('taken');
  return text;
}

test('a push may not bring more refs than allowed; git shows why, and removing some helps', async () => {
  const path = await work(10);
  const branches = (from: number, to: number) =>
    Array.from({ length: to - from }, (_, index) => `main:refs/heads/b${from + index}`);
  await git(['push', '-q', remote('refs'), ...branches(0, 9)], path);
  const text = await refused(path, remote('refs'), ...branches(9, 12));
  expect(text).toContain('remote: The repository would have 12 branches and tags; 10 are allowed.');
  expect(text).toContain('[remote rejected]');
  const listed = (await eve.post('/deploy/branches', { owner: 'eve', repo: 'refs' })).body;
  expect(listed).toHaveLength(9);
  await git(['push', '-q', remote('refs'), '--delete', 'b1', 'b2'], path);
  await git(['push', '-q', remote('refs'), ...branches(9, 12)], path);
});

test('bytes are refused as they come, for one repository and for all of a user', async () => {
  const tooLarge = await work(4 * MIB);
  expect(await refused(tooLarge, remote('large'), 'main')).toMatch(/exceeds maximum allowed size/);
  const objects = join(folder, 'data/git/eve/large.git/objects');
  expect((await readdir(join(objects, 'pack'))).filter((name) => name.endsWith('.pack'))).toEqual([]);

  await git(['push', '-q', remote('large'), 'main'], await work(2 * MIB));
  const more = await work(1.5 * MIB);
  expect(await refused(more, remote('large'), 'main:other')).toMatch(/exceeds maximum allowed size/);
  await git(['push', '-q', remote('second'), 'main'], more);
  expect(await refused(await work(MIB), remote('second'), 'main:other')).toMatch(/exceeds maximum allowed/);
});

test('pushes side by side have no more room together than one after another', async () => {
  const sam = await ApiClient.signIn(server.url, 'sam');
  const token = await newToken(sam);
  const address = (name: string) => remote(name, token, 'sam');
  await git(['push', '-q', address('busy'), 'main'], await work(10));
  // Each has room alone, and no two of them have.
  const large = await Promise.all(Array.from({ length: 6 }, () => work(2 * MIB)));
  const bytes = await Promise.all(
    large.map((path, place) => pushed(path, address('busy'), `main:refs/heads/large-${place}`)),
  );
  expect(bytes.filter((text) => text === 'taken')).toHaveLength(1);
  for (const text of bytes) if (text !== 'taken') expect(text).toMatch(/exceeds maximum allowed size/);

  // Ten refs may be there, and two are.
  const small = await work(10);
  const refs = await Promise.all(
    Array.from({ length: 6 }, (_, place) =>
      pushed(small, address('busy'), ...[1, 2, 3].map((ref) => `main:refs/heads/small-${place}-${ref}`)),
    ),
  );
  expect(refs.filter((text) => text === 'taken')).toHaveLength(2);
  expect((await sam.post('/deploy/branches', { owner: 'sam', repo: 'busy' })).body).toHaveLength(8);
});

test('repositories have a number, however many are asked for at once, by push or from a template', async () => {
  const zoe = await ApiClient.signIn(server.url, 'zoe');
  const answers = await Promise.all(
    Array.from({ length: 8 }, () => zoe.post('/repository/templates/static-site', {})),
  );
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(4);
  const [over] = answers.filter(({ status }) => status !== 200);
  expect(over?.body).toMatchObject({
    code: 'quota_reached',
    error: 'You have 4 repositories; 4 are allowed. Delete one on its page.',
    detail: 'The operator can change MAX_REPOSITORIES.',
  });
  const text = await refused(await work(10), remote('one-more', await newToken(zoe), 'zoe'), 'main');
  expect(text).toContain('You have 4 repositories; 4 are allowed.');
  expect(await zoe.list('/deploy/repos')).toHaveLength(4);
});

/** A module of one custom section. */
function moduleOf(bytes: number): Uint8Array {
  const size = Buffer.from([0x80 | (bytes & 0x7f), 0x80 | ((bytes >> 7) & 0x7f), (bytes >> 14) & 0x7f]);
  const head = Buffer.from([0x00, 0x61, 0x73, 0x6d, 0x01, 0x00, 0x00, 0x00, 0x00]);
  return Buffer.concat([head, size, Buffer.from([1, 0x78]), randomBytes(bytes - 2)]);
}

test('uploads are refused as they come once there is no more room; nothing of them is kept', async () => {
  await eve.uploadWasm(moduleOf(700_000));
  const { status, body } = await eve.upload('/document/upload', 'wasm', moduleOf(700_000));
  expect([status, body.code, body.error]).toEqual([
    400,
    'quota_reached',
    'Your uploads would be more than 1 MiB together.',
  ]);
  await eve.uploadWasm(moduleOf(100_000));
  expect(await readdir(join(folder, 'data/blobs/incoming'))).toEqual([]);
});

test('pushes have a rate for each user; the refusal is text with a time to come back', async () => {
  const max = await ApiClient.signIn(server.url, 'max');
  const address = `${server.url}/max/flood.git/info/refs?service=git-receive-pack`;
  const headers = (token: string) => ({
    authorization: `Basic ${Buffer.from(`x:${token}`).toString('base64')}`,
  });
  const token = await newToken(max);
  // Several at once: one after the other, a busy machine may send fewer than 40 in a minute.
  let refused: { response: Response; text: string } | undefined;
  const sender = async (): Promise<void> => {
    while (refused === undefined) {
      const response = await fetch(address, { headers: headers(token) });
      const text = await response.text();
      if (response.status === 429) refused = { response, text };
    }
  };
  await Promise.all([sender(), sender(), sender()]);
  expect(Number(refused?.response.headers.get('retry-after'))).toBeGreaterThan(0);
  expect(refused?.response.headers.get('content-type')).toMatch(/^text\/plain/);
  expect(refused?.text).toMatch(/^You have pushed 40 times in a minute\. Wait a moment/);
  expect((await fetch(address.replace('receive', 'upload'), { headers: headers(token) })).status).toBe(200);
});

test('builds that run or wait have a number, however many are asked for at once', async () => {
  const joe = await ApiClient.signIn(server.url, 'joe');
  expect((await joe.post('/repository/templates/static-site', {})).status).toBe(200);
  const settings = { branch: 'main', owner: 'joe', repo_name: 'static-site', deploy_type: 'STATIC_SITE' };
  const deploys = await Promise.all(
    Array.from({ length: 8 }, (_, index) =>
      joe.post('/deploy', { ...settings, name: `site-${index}`, build_command: 'sleep 60' }),
    ),
  );
  const answers = await Promise.all(deploys.map(({ body }) => joe.post(`/deploy/${body.id}/trigger`, {})));
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(3);
  const [over] = answers.filter(({ status }) => status !== 200);
  expect(over?.body).toMatchObject({
    code: 'quota_reached',
    error: 'You have 3 deploys running or waiting. Wait until one of them has ended.',
    detail: 'The operator can change OPEN_BUILDS_PER_USER.',
  });
});
