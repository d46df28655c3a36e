import { execFile } from 'node:child_process';
import { generateKeyPairSync, randomBytes } from 'node:crypto';
import { request } from 'node:http';
import { cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { CanisterAnswer } from '@cannery/contract';
import { processes } from '@cannery/dev-env';
import { bodyHash, DOOR, internalToken } from '../../src/git/remote/internal-token.ts';
import { doorKey } from '../../src/roles/door-keys.ts';
import { ApiClient } from '../support/client.ts';
import { LfsClient, lfsFile } from '../support/lfs-client.ts';
import { type ProductOfRoles, startProductOfRoles } from './product-of-roles.ts';
import { startRole } from '../support/server-process.ts';

// One network, two api, two workers and two git roles, each a process, share Postgres and an S3 service.
let product: ProductOfRoles;
/** One user at each api. */
let first: ApiClient;
let second: ApiClient;
let secret: string;

beforeAll(async () => {
  product = await startProductOfRoles();
  first = await ApiClient.signIn(product.urlOf(0), 'ada');
  second = new ApiClient(product.urlOf(1), first.token);
  secret = String((await first.post('/repository/tokens', { label: 'test' })).body['secret']);
}, 120_000);
afterAll(() => product?.dispose());

const run = promisify(execFile);

async function git(folder: string, ...words: string[]): Promise<string> {
  const identity = ['-c', 'user.name=Ada', '-c', 'user.email=ada@example.org'];
  const env = { PATH: process.env['PATH'], HOME: product.folder, GIT_CONFIG_NOSYSTEM: '1', LC_ALL: 'C' };
  const { stdout, stderr } = await run('git', ['-C', folder, ...identity, ...words], { env });
  return stdout + stderr;
}

function newFolder(name: string): string {
  const path = join(product.folder, name);
  mkdirSync(path, { recursive: true });
  return path;
}

async function commitAll(folder: string, message: string): Promise<string> {
  await git(folder, 'add', '-A');
  await git(folder, 'commit', '--quiet', '-m', message);
  return (await git(folder, 'rev-parse', 'HEAD')).trim();
}

const addressAt = (place: 0 | 1, name: string, password = secret): string =>
  `http://ada:${password}@${new URL(product.urlOf(place)).host}/ada/${name}.git`;

/** What a visitor of the network gets at a host; the status where there is no page. */
function pageAt(name: string): Promise<string> {
  const { port } = new URL(product.network.url);
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  request({ host: '127.0.0.1', port, headers: { host: `${name}:${port}` } }, (answer) => {
    answer
      .toArray()
      .then(
        (chunks) =>
          resolve(answer.statusCode === 200 ? Buffer.concat(chunks).toString() : `${answer.statusCode}`),
        reject,
      );
  })
    .once('error', reject)
    .end();
  return promise;
}

/** The git role that has ada's repositories. */
async function home(): Promise<0 | 1> {
  const { url } = await product.database.db
    .selectFrom('repository_homes')
    .innerJoin('git_folders', 'git_folders.id', 'folder_id')
    .innerJoin('users', 'users.id', 'user_id')
    .select('url')
    .where('username', '=', 'ada')
    .executeTakeFirstOrThrow();
  return product.gits[0].url === url ? 0 : 1;
}

/** The run, once it has ended well. */
async function completed(deployId: string, runId: string): Promise<Record<string, unknown>> {
  for (const end = Date.now() + 60_000; Date.now() < end; await delay(100)) {
    const { body } = await second.get(`/deploy/${deployId}/instances/${runId}`);
    expect(
      body['status'],
      [body['logs'], ...product.workers.flatMap(({ output }) => output)].join('\n'),
    ).not.toBe('FAILED');
    if (body['status'] === 'COMPLETED') return body;
  }
  throw new Error('The run did not end.');
}

test('what is pushed at one api is seen at the other, deployed by a worker, renamed and deleted', async () => {
  const work = newFolder('site');
  await git(work, 'init', '--quiet', '--initial-branch=main');
  writeFileSync(join(work, 'index.html'), 'one');
  const commit = await commitAll(work, 'one');
  await git(work, 'push', '--quiet', addressAt(0, 'site'), 'main');

  expect(await second.list('/deploy/repos')).toMatchObject([{ name: 'site', default_branch: 'main' }]);
  expect((await second.get('/repository/content/ada/site')).body).toMatchObject({
    branch: 'main',
    files: [{ path: 'index.html' }],
    clone_url: `${product.settings['PUBLIC_URL']}/ada/site.git`,
  });
  expect((await second.get(`/repository/code/ada/site?commit=${commit}&path=index.html`)).body).toMatchObject(
    { text: 'one' },
  );
  const asked = { owner: 'ada', repo_name: 'site', branch: 'main', is_public: false };
  expect((await second.post('/deploy/detect', asked)).body).toMatchObject({ publish_directory: '' });

  const created = await first.post('/deploy', { ...asked, name: 'Site', deploy_type: 'STATIC_SITE' });
  const id = String(created.body['id']);
  const { body: triggered } = await second.post(`/deploy/${id}/trigger`, {});
  await completed(id, String(triggered['id']));

  // A push through the other api starts a run, and git is told so; the worker builds what is new.
  await first.patch(`/deploy/${id}`, { on_push: true });
  writeFileSync(join(work, 'index.html'), 'two');
  await commitAll(work, 'two');
  const shown = await git(work, 'push', addressAt(1, 'site'), 'main');
  expect(shown).toContain("deploys 'Site'");
  const [pushed] = (await first.get(`/deploy/${id}/instances`)).body['data'] as { id: string }[];
  expect(await completed(id, pushed?.id ?? '')).toMatchObject({ commit_message: 'two' });
  const { body: deploy } = await second.get(`/deploy/${id}`);
  const [canister] = deploy['canisters'] as string[];
  expect(await (await fetch(`${product.network.url}/?canisterId=${canister}`)).text()).toBe('two');

  // The network is another process, which reads the names of sites from the database.
  expect((await first.patch(`/deploy/${id}`, { site_name: 'bakery' })).status).toBe(200);
  expect((await second.get('/config')).body['site_name_pattern']).toContain('//{name}.localhost:');
  await expect.poll(() => pageAt('bakery.localhost'), { timeout: 30_000 }).toBe('two');
  await first.patch(`/deploy/${id}`, { site_name: '' });
  await expect.poll(() => pageAt('bakery.localhost'), { timeout: 30_000 }).toBe('404');

  expect((await first.post('/repository/rename/ada/site', { new_name: 'shop' })).status).toBe(200);
  expect((await second.get('/repository/content/ada/site')).status).toBe(404);
  expect((await second.get(`/deploy/${id}`)).body).toMatchObject({ repo_name: 'shop' });
  const clone = newFolder('clone');
  await git(clone, 'clone', '--quiet', addressAt(1, 'shop'), '.');
  expect(readFileSync(join(clone, 'index.html'), 'utf8')).toBe('two');
  expect((await second.delete('/repository/content/ada/shop')).status).toBe(200);
  expect(await first.list('/deploy/repos')).toEqual([]);
  expect((await first.get(`/deploy/${id}`)).body).toMatchObject({ repository_deleted: true });
}, 60_000);

test('a commit that no branch leads to any more is compared with what is live, and built again', async () => {
  const work = newFolder('rewritten');
  await git(work, 'init', '--quiet', '--initial-branch=main');
  writeFileSync(join(work, 'index.html'), 'before');
  const gone = await commitAll(work, 'before');
  await git(work, 'push', '--quiet', addressAt(0, 'rewritten'), 'main');
  const asked = { owner: 'ada', repo_name: 'rewritten', branch: 'main', is_public: false };
  const { body } = await first.post('/deploy', { ...asked, name: 'Rewritten', deploy_type: 'STATIC_SITE' });
  const id = String(body['id']);
  const before = String((await first.post(`/deploy/${id}/trigger`, {})).body['id']);
  await completed(id, before);
  writeFileSync(join(work, 'index.html'), 'after');
  await git(work, 'commit', '--quiet', '--amend', '-a', '-m', 'after');
  await git(work, 'push', '--quiet', '--force', addressAt(1, 'rewritten'), 'main');
  await completed(id, String((await second.post(`/deploy/${id}/trigger`, {})).body['id']));

  const { body: compared } = await second.get(`/deploy/${id}/instances/${before}/comparison`);
  expect(compared).toMatchObject({ to: gone, files: [{ path: 'index.html', change: 'changed' }] });
  const again = await second.post(`/deploy/${id}/instances/${before}/redeploy`, {});
  expect(again.status, again.body.error).toBe(200);
  expect(await completed(id, String(again.body['id']))).toMatchObject({ commit_message: 'before' });
}, 60_000);

test('files of Git LFS go through an api to the git role, and from there into a build', async () => {
  const work = newFolder('large');
  const file = lfsFile(randomBytes(3_000_000));
  const lfs = new LfsClient(product.urlOf(1), 'ada/large', secret);
  await git(work, 'init', '--quiet', '--initial-branch=main');
  writeFileSync(join(work, 'index.html'), 'large');
  writeFileSync(join(work, 'data.bin'), file.pointer);
  // One object at two places is read twice.
  cpSync(join(work, 'data.bin'), join(work, 'copy.bin'));
  await commitAll(work, 'large');
  expect(await lfs.upload(file)).toBe(200);
  await git(work, 'push', '--quiet', addressAt(0, 'large'), 'main');
  expect(await lfs.download(file)).toEqual(file.bytes);
  const range = await lfs.fetch(`objects/${file.oid}/${file.size}`, { headers: { range: 'bytes=5-9' } });
  expect([range.status, Buffer.from(await range.arrayBuffer())]).toEqual([206, file.bytes.subarray(5, 10)]);
  expect((await lfs.put({ oid: file.oid, size: file.size + 1 }, file.bytes)).status).toBe(422);

  const asked = { owner: 'ada', repo_name: 'large', branch: 'main', is_public: false };
  const { body } = await first.post('/deploy', { ...asked, name: 'Large', deploy_type: 'STATIC_SITE' });
  const id = String(body['id']);
  const { body: run } = await first.post(`/deploy/${id}/trigger`, {});
  await completed(id, String(run['id']));
  const [canister] = (await first.get(`/deploy/${id}`)).body['canisters'] as string[];
  const page = await fetch(`${product.network.url}/copy.bin?canisterId=${canister}`);
  expect(Buffer.from(await page.arrayBuffer()).equals(file.bytes)).toBe(true);
}, 60_000);

test('a push during which the git role is killed is whole or absent, and works after its start', async () => {
  const work = newFolder('killed');
  await git(work, 'init', '--quiet', '--initial-branch=main');
  const said: string[] = [];
  for (const pause of [200, 900]) {
    writeFileSync(join(work, 'data.bin'), randomBytes(12_000_000));
    const commit = await commitAll(work, `after ${pause} ms`);
    const at = await home();
    const push = git(work, 'push', addressAt(0, 'killed'), 'main').then(
      () => true,
      () => false,
    );
    await delay(pause);
    await product.gits[at].kill('SIGKILL');
    const isPushed = await push;
    // Others are told so, and nothing hangs.
    const away = await first.get('/deploy/repos');
    expect([away.status, away.body['code']]).toEqual([400, 'repository_busy']);
    await product.startGit(at);
    // A push that was cut off early has not even made the repository.
    const refs = await git(work, 'ls-remote', addressAt(1, 'killed'), 'refs/heads/main').catch(() => '');
    const there = refs.slice(0, 40);
    if (isPushed) expect(there).toBe(commit);
    said.push(there === commit ? 'whole' : 'absent');
    await git(work, 'push', '--quiet', addressAt(1, 'killed'), 'main');
    const clone = newFolder(`killed-${pause}`);
    await git(clone, 'clone', '--quiet', addressAt(0, 'killed'), '.');
    expect((await git(clone, 'rev-parse', 'HEAD')).trim()).toBe(commit);
    await git(clone, 'fsck', '--full');
  }
  expect(said).toHaveLength(2);
}, 170_000);

test('a run that begins while the git role is away waits for it', async () => {
  const work = newFolder('waiting');
  await git(work, 'init', '--quiet', '--initial-branch=main');
  writeFileSync(join(work, 'index.html'), 'waited for');
  await commitAll(work, 'waited for');
  await git(work, 'push', '--quiet', addressAt(0, 'waiting'), 'main');
  const asked = { owner: 'ada', repo_name: 'waiting', branch: 'main', is_public: false };
  const { body } = await first.post('/deploy', { ...asked, name: 'Waiting', deploy_type: 'STATIC_SITE' });
  const id = String(body['id']);
  const at = await home();
  await product.gits[at].kill('SIGKILL');
  const { body: run } = await second.post(`/deploy/${id}/trigger`, {});
  const instance = `/deploy/${id}/instances/${String(run['id'])}`;
  await expect
    .poll(async () => String((await first.get(instance)).body['logs']))
    .toContain('Waiting for the server that keeps the repository');
  await product.startGit(at);
  await completed(id, String(run['id']));
}, 90_000);

test('a session that is ended at one api is refused by the other within a second', async () => {
  const bob = await ApiClient.signIn(product.urlOf(0), 'bob');
  const elsewhere = new ApiClient(product.urlOf(1), bob.token);
  expect((await elsewhere.get('/deploy/repos')).status).not.toBe(401);
  expect((await bob.post('/auth/logout', {})).status).toBe(200);
  await delay(500);
  expect((await elsewhere.get('/deploy/repos')).status).toBe(401);
});

test('when one api has waited for a silent network in vain, the other says as well of when a list is', async () => {
  const asOf = async (client: ApiClient): Promise<unknown> => {
    const { body } = await client.get('/canister/list');
    const [canister] = body as unknown as CanisterAnswer[];
    return canister?.as_of;
  };
  expect((await first.post('/canister/create', { name: 'Silent' })).status).toBe(200);
  const silent = processes().filter(({ parent }) => parent === product.network.child.pid);
  expect(silent).not.toEqual([]);
  for (const { id } of silent) process.kill(id, 'SIGSTOP');
  try {
    await expect.poll(() => asOf(first), { timeout: 12_000 }).not.toBeNull();
    await delay(200);
    // It has asked the network for nothing yet.
    expect(await asOf(second)).not.toBeNull();
  } finally {
    for (const { id } of silent) process.kill(id, 'SIGCONT');
  }
  await expect.poll(() => asOf(first)).toBeNull();
  await delay(200);
  expect(await asOf(second)).toBeNull();
});

test('a process that has not what the first one had does not start, and says what', async () => {
  const key = join(product.folder, 'other.key');
  writeFileSync(key, randomBytes(32).toString('hex'));
  const identity = join(product.folder, 'other.pem');
  writeFileSync(identity, generateKeyPairSync('ed25519').privateKey.export({ type: 'pkcs8', format: 'pem' }));
  const start = (name: string, changed: Record<string, string>) =>
    startRole({ ...product.settings, DATA_DIR: newFolder(name), ...changed }).then(
      async (program) => {
        await program.kill('SIGKILL');
        return 'started';
      },
      (error: Error) => error.message,
    );
  const others = { PUBLIC_URL: 'http://localhost:1', SECRETS_KEY_FILE: key, IC_IDENTITY_FILE: identity };
  const [unlike, all] = await Promise.all([
    start('unlike', { ROLE: 'worker', ...others }),
    start('all', { ROLE: 'all' }),
  ]);
  expect(unlike).toMatch(/IC_IDENTITY_FILE: this process has \S+, the first one had /);
  expect(unlike).toContain(
    'PUBLIC_URL: this process has http://localhost:1, the first one had http://localhost:',
  );
  expect(unlike).toContain('SECRETS_KEY_FILE: this process has another key than the first one');
  expect(unlike).not.toContain(readFileSync(key, 'utf8'));
  expect(unlike).not.toContain('BLOBS');
  expect(all).toMatch(/A git role at http:\/\/127\.0\.0\.1:\d+ works on this database/);
}, 120_000);

test('the door of a git role opens to tokens made for the request only, and those open nothing else', async () => {
  const key = doorKey(Buffer.from(readFileSync(product.settings['SECRETS_KEY_FILE'] ?? '', 'utf8'), 'hex'));
  const at = await home();
  const { url } = product.gits[at];
  const row = await product.database.db
    .selectFrom('repository_homes')
    .innerJoin('users', 'users.id', 'user_id')
    .select(['user_id', 'folder_id'])
    .where('username', '=', 'ada')
    .executeTakeFirstOrThrow();
  const list = JSON.stringify({ operation: 'list', input: {} });
  const made = {
    kind: 'once',
    method: 'POST',
    path: `${DOOR}/call`,
    body: bodyHash(list),
    user: row.user_id,
    folder: row.folder_id,
  } as const;
  const ask = async (authorization: string | undefined, body = list, path = `${DOOR}/call`) => {
    const headers = { 'content-type': 'application/json', ...(authorization && { authorization }) };
    const response = await fetch(url + path, { method: 'POST', headers, body });
    return { status: response.status, text: await response.text() };
  };

  const token = internalToken(key, made);
  expect(await ask(token)).toMatchObject({ status: 200, text: expect.stringContaining('large') });
  // Again, late, for another request, for another body, for another folder, of another key, and what users have.
  const late = internalToken(key, made, Date.now() - 60_000);
  const foreign = internalToken(randomBytes(32), made);
  const basic = `Basic ${Buffer.from(`ada:${secret}`).toString('base64')}`;
  for (const refused of [undefined, token, late, foreign, basic, `Bearer ${first.token}`, `Bearer ${secret}`])
    expect((await ask(refused)).status, refused).toBe(404);
  expect((await ask(internalToken(key, made), list, `${DOOR}/lfs`)).status).toBe(404);
  const other = JSON.stringify({ operation: 'addTemplate', input: { template: 'static-site' } });
  expect((await ask(internalToken(key, made), other)).status).toBe(404);
  expect((await ask(internalToken(key, { ...made, folder: 'other' }))).status).toBe(503);
  expect((await ask(internalToken(key, { ...made, user: 'nobody' }))).status).toBe(404);
  // Nobody is served without a token, whatever the address.
  for (const path of [
    '/ada/large.git/info/refs?service=git-upload-pack',
    `${DOOR}/for/ada/large.git/info/refs`,
  ])
    expect((await fetch(url + path, { headers: { authorization: basic } })).status).toBe(404);

  // At an api it is no credential, and its door does not exist.
  const api = product.urlOf(0);
  const shown = (path: string) => fetch(api + path, { headers: { authorization: internalToken(key, made) } });
  expect((await shown('/api/deploy/repos')).status).toBe(401);
  expect((await shown('/ada/large.git/info/refs?service=git-upload-pack')).status).toBe(401);
  const there = internalToken(key, { ...made, method: 'POST' });
  const answer = await fetch(`${api}${DOOR}/call`, {
    method: 'POST',
    headers: { authorization: there, 'content-type': 'application/json' },
    body: list,
  });
  expect(answer.status).toBe(404);
  const eve = await ApiClient.signIn(product.urlOf(1), 'eve');
  const { secret: hers } = (await eve.post('/repository/tokens', { label: 'x' })).body;
  const asked = fetch(`${api}/ada/large.git/info/refs?service=git-upload-pack`, {
    headers: { authorization: `Basic ${Buffer.from(`eve:${String(hers)}`).toString('base64')}` },
  });
  expect((await asked).status).toBe(404);
});

test('a process that is told to stop ends in time, and its health says how it is', async () => {
  const [worker] = product.workers;
  const health = async (url: string) => (await fetch(`${url}/health`)).json();
  expect(await health(worker.url)).toMatchObject({ status: 'ok', role: 'worker' });
  expect(await health(product.gits[0].url)).toMatchObject({ status: 'ok', role: 'git' });
  // A slow download is given to its end by an api that is told to stop.
  const lfs = new LfsClient(product.urlOf(1), 'ada/large', secret);
  const file = lfsFile(randomBytes(20_000_000));
  expect(await lfs.upload(file)).toBe(200);
  const response = await lfs.fetch(`objects/${file.oid}/${file.size}`);
  const [, api] = product.apis;
  const stopped = api.kill('SIGTERM');
  await delay(300);
  expect(Buffer.from(await response.arrayBuffer()).equals(file.bytes)).toBe(true);
  expect(await stopped).toBe(0);
}, 60_000);
