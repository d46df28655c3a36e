import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { git } from '@cannery/dev-env';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { RunningServer } from '../../src/start-server.ts';
import { ApiClient } from '../support/client.ts';
import { workOf } from '../support/git-work.ts';
import { NO_NETWORK, startTestServer } from '../support/server.ts';

let folder: string;
let server: RunningServer;
let ada: ApiClient;
let eve: ApiClient;
let secret: string;

const start = () =>
  startTestServer({ IC_URL: NO_NETWORK, MAX_REPOSITORIES: 6, DATA_DIR: join(folder, 'data') });

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'cannery-changes-'));
  server = await start();
  ada = await ApiClient.signIn(server.url, 'ada');
  eve = await ApiClient.signIn(server.url, 'eve');
  secret = String((await ada.post('/repository/tokens', { label: 'x' })).body.secret);
});
afterAll(async () => {
  await server.close();
  await rm(folder, { recursive: true, force: true });
});

const remote = (name: string) => `${server.url.replace('://', `://x:${secret}@`)}/ada/${name}.git`;

async function push(name: string): Promise<void> {
  await git(['push', '-q', remote(name), 'HEAD:refs/heads/main'], await workOf(folder, 10));
}

const names = async (): Promise<string[]> =>
  ((await ada.get('/deploy/repos')).body as unknown as { name: string }[]).map(({ name }) => name).toSorted();

async function createDeploy(name: string, repo: string, more: object = {}): Promise<string> {
  const body = {
    name,
    deploy_type: 'STATIC_SITE',
    repo_name: repo,
    owner: 'ada',
    branch: 'main',
    is_public: false,
  };
  const { status, body: deploy } = await ada.post('/deploy', { ...body, ...more });
  expect(status).toBeLessThan(300);
  const id = String(deploy.id);
  expect((await ada.patch(`/deploy/${id}`, { on_push: true })).status).toBe(200);
  return id;
}

const repoOf = async (id: string): Promise<unknown> => (await ada.get(`/deploy/${id}`)).body.repo_name;
const uses = async (repo: string) => (await ada.get(`/repository/uses/ada/${repo}`)).body;
/** Folders of the owner on disk, names that nobody can ask for included. */
const onDisk = (): string[] => readdirSync(join(folder, 'data', 'git', 'ada')).toSorted();

test('a repository is renamed with the deploys that use it, and its old address ends', async () => {
  await push('site');
  await push('other');
  const [one, two] = [await createDeploy('One', 'site'), await createDeploy('Two', 'other')];
  expect(await uses('SITE')).toEqual({
    deploys: [{ id: one, name: 'One', branch: 'main', canisters: [], live: null }],
    dapps: [],
  });
  const { status, body } = await ada.post('/repository/rename/ada/site', { new_name: 'page.v2' });
  expect([status, body]).toMatchObject([200, { name: 'page.v2', default_branch: 'main' }]);
  expect([await repoOf(one), await repoOf(two)]).toEqual(['page.v2', 'other']);
  expect(await names()).toEqual(['other', 'page.v2']);
  expect((await ada.get('/repository/content/ada/site')).status).toBe(404);
  expect((await ada.get('/repository/content/ada/page.v2')).body).toMatchObject({ branches: ['main'] });
  await expect(git(['ls-remote', remote('site')], folder)).rejects.toThrow();
  await git(['ls-remote', remote('page.v2')], folder);
  // A push starts the deploy, which was created with other letters.
  const shouted = await createDeploy('Shouted', 'PAGE.V2');
  expect(await repoOf(shouted)).toBe('page.v2');
  await git(['push', '-q', '--force', remote('PAGE.v2'), 'HEAD:refs/heads/main'], await workOf(folder, 30));
  expect((await ada.get(`/deploy/${shouted}/instances`)).body.data).toHaveLength(1);
  // Only its letters are others.
  expect((await ada.post('/repository/rename/ada/page.v2', { new_name: 'Page' })).body).toMatchObject({
    name: 'Page',
  });
  expect((await ada.post('/repository/rename/ada/Page', { new_name: 'page' })).body).toMatchObject({
    name: 'page',
  });
  expect([await repoOf(one), onDisk()]).toEqual(['page', ['other.git', 'page.git']]);
});

test('names that are taken or are none are refused, and nothing is changed', async () => {
  for (const [name, status, text] of [
    ['other', 400, 'You have a repository other already.'],
    ['OTHER', 400, 'You have a repository other already.'],
    ['../eve/x', 400, 'A repository has a name of letters'],
    ['.gone-x', 400, 'A repository has a name of letters'],
    ['x.git', 400, 'A repository has a name of letters'],
    ['a b', 400, 'A repository has a name of letters'],
    ['con', 400, 'A repository has a name of letters'],
    ['-x', 400, 'A repository has a name of letters'],
  ] as const) {
    const answer = await ada.post('/repository/rename/ada/page', { new_name: name });
    expect([name, answer.status, answer.body.message]).toEqual([name, status, expect.stringContaining(text)]);
  }
  expect(await names()).toEqual(['other', 'page']);
});

test('repositories of others are not found, whatever is asked', async () => {
  for (const owner of ['ada', 'ADA']) {
    expect((await eve.get(`/repository/uses/${owner}/page`)).status).toBe(404);
    expect((await eve.post(`/repository/rename/${owner}/page`, { new_name: 'mine' })).status).toBe(404);
    expect((await eve.delete(`/repository/content/${owner}/page`)).status).toBe(404);
  }
  expect((await ada.delete('/repository/content/ada/..%2feve')).status).toBe(404);
  expect(await names()).toEqual(['other', 'page']);
});

test('a deleted repository is gone, leaves room for others, and one of its name inherits nothing', async () => {
  const id = await createDeploy('Three', 'page');
  const code = await createDeploy('Code', 'page', { deploy_type: 'MOTOKO' });
  expect((await ada.delete('/repository/content/ada/page')).status).toBe(200);
  expect([await names(), onDisk()]).toEqual([['other'], ['other.git']]);
  expect((await ada.delete('/repository/content/ada/page')).status).toBe(404);
  // The deploy stays, and says what is missing.
  expect((await ada.get(`/deploy/${id}`)).body).toMatchObject({
    repo_name: 'page',
    repository_deleted: true,
  });
  for (const name of ['a', 'b', 'c', 'd', 'page']) await push(name);
  // Another repository has the name now: the deploy has nothing to do with it, by hand or by a push, until its owner says so.
  expect((await ada.get(`/deploy/${id}`)).body).toMatchObject({ repository_deleted: true });
  expect(await uses('page')).toEqual({ deploys: [], dapps: [] });
  expect((await ada.get(`/deploy/${id}/instances`)).body).toEqual({ data: [] });
  expect((await ada.get(`/deploy/${code}/plan`)).body).toMatchObject({
    code: 'repository_deleted',
    message: 'The repository ada/page was deleted.',
    next_step: 'Connect the deploy with another repository on its page.',
  });
  expect((await ada.patch(`/deploy/${id}`, { repo_name: 'nowhere' })).body.code).toBe('repository_not_found');
  expect((await eve.patch(`/deploy/${id}`, { repo_name: 'page' })).status).toBe(404);
  const connected = (await ada.patch(`/deploy/${id}`, { repo_name: 'PAGE' })).body.data;
  expect(connected).toMatchObject({ repo_name: 'page', repository_deleted: false });
  expect(await uses('page')).toMatchObject({ deploys: [{ id, name: 'Three', live: null }] });
  await git(['push', '-q', '--force', remote('page'), 'HEAD:refs/heads/main'], await workOf(folder, 20));
  expect((await ada.get(`/deploy/${id}/instances`)).body.data).toHaveLength(1);
  await expect(push('one-more')).rejects.toThrow();
  await ada.delete('/repository/content/ada/a');
  await push('one-more');
  const content = (await ada.get('/repository/content/ada/page')).body as unknown as { commits: unknown[] };
  expect(content.commits).toHaveLength(1);
});

test('pushes, renames and deletions at once leave whole repositories only', async () => {
  const work = await workOf(folder, 200_000);
  const jobs = Array.from({ length: 6 }, (_, n) => [
    git(['push', '-q', '--force', remote('b'), `HEAD:refs/heads/n${n}`], work).catch(() => undefined),
    ada.post('/repository/rename/ada/b', { new_name: 'bb' }),
    ada.post('/repository/rename/ada/bb', { new_name: 'b' }),
    n % 3 === 2 ? ada.delete('/repository/content/ada/b') : undefined,
  ]).flat();
  await Promise.all(jobs);
  if ((await names()).includes('b')) await ada.post('/repository/rename/ada/b', { new_name: 'bb' });
  for (const name of await names()) await git(['ls-remote', remote(name)], folder);
  expect(onDisk()).toEqual((await names()).map((name) => `${name}.git`));
});

test('a repository that a push or a deploy needs is not taken away, and the answer does not wait for ever', async () => {
  // A push that has begun and sends no more.
  const { hostname, port } = new URL(server.url);
  const socket = connect(Number(port), hostname);
  const basic = Buffer.from(`x:${secret}`).toString('base64');
  socket.write(
    `POST /ada/other.git/git-receive-pack HTTP/1.1\r\nhost: ${hostname}\r\nauthorization: Basic ${basic}\r\ncontent-type: application/x-git-receive-pack-request\r\ncontent-length: 5000\r\n\r\n00`,
  );
  await expect
    .poll(async () => (await ada.post('/repository/rename/ada/other', { new_name: 'other' })).body.code, {
      timeout: 30_000,
    })
    .toBe('repository_busy');
  expect((await ada.delete('/repository/content/ada/other')).body).toMatchObject({
    code: 'repository_busy',
    message: 'A push to one of your repositories is under way.',
    next_step: 'Try again when that has ended.',
  });
  socket.destroy();
  await expect
    .poll(async () => (await ada.post('/repository/rename/ada/other', { new_name: 'other' })).status, {
      timeout: 30_000,
    })
    .toBe(200);
}, 120_000);

test('a name that is being taken by a rename goes to no new repository', async () => {
  for (const name of await names())
    if (name !== 'other' && name !== 'c') await ada.delete(`/repository/content/ada/${name}`);
  const id = await createDeploy('Four', 'other');
  for (let round = 0; round < 5; round += 1) {
    const [from, to] = round % 2 === 0 ? ['other', 'static-site'] : ['static-site', 'other'];
    const [renamed, made] = await Promise.all([
      ada.post(`/repository/rename/ada/${from}`, { new_name: to }),
      ada.post('/repository/templates/static-site', {}),
    ]);
    // Whoever came first has the name, and the deploy shows where its repository is.
    expect(made.status).toBe(200);
    const shown = String(await repoOf(id));
    expect(await uses(shown)).toMatchObject({ deploys: [{ id, name: 'Four' }, { name: 'Two' }] });
    if (renamed.status === 200) expect([round, shown]).toEqual([round, to]);
    else expect([round, shown, renamed.body.code]).toEqual([round, from, 'already_exists']);
    for (const name of await names()) {
      if (name === shown || !name.startsWith('static-site')) continue;
      expect((await ada.delete(`/repository/content/ada/${name}`)).status).toBe(200);
    }
    if (renamed.status !== 200) break;
  }
});

test('what a server that was killed has left is removed when the next one starts', async () => {
  await server.close();
  const own = join(folder, 'data', 'git', 'ada');
  for (const left of ['.gone-1', '.new-1']) {
    mkdirSync(join(own, left, 'objects'), { recursive: true });
    writeFileSync(join(own, left, 'objects', 'x'), 'x');
  }
  const before = onDisk().filter((name) => name.endsWith('.git'));
  server = await start();
  ada = await ApiClient.signIn(server.url, 'ada');
  expect(onDisk()).toEqual(before);
  expect(existsSync(join(own, before[0] ?? '', 'HEAD'))).toBe(true);
});

test('a rename and a deletion that a kill has cut off are told to the deploys at the next start', async () => {
  for (const name of ['bb', 'c'])
    await git(['push', '-q', '--force', remote(name), 'HEAD:refs/heads/main'], await workOf(folder, 10));
  const [moved, gone] = [await createDeploy('Moved', 'bb'), await createDeploy('Gone', 'c')];
  await server.close();
  const own = join(folder, 'data', 'git', 'ada');
  const id = readFileSync(join(own, 'bb.git', 'cannery-id'), 'utf8');
  writeFileSync(join(own, `.moved-${id}`), '');
  renameSync(join(own, 'bb.git'), join(own, 'bbb.git'));
  renameSync(join(own, 'c.git'), join(own, '.gone-2'));
  server = await start();
  ada = await ApiClient.signIn(server.url, 'ada');
  expect(await repoOf(moved)).toBe('bbb');
  expect(await uses('bbb')).toMatchObject({ deploys: [{ id: moved, name: 'Moved' }] });
  expect((await ada.get(`/deploy/${gone}`)).body).toMatchObject({ repository_deleted: true });
  expect(onDisk().filter((name) => !name.endsWith('.git'))).toEqual([]);
});
