import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
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
  return String(deploy.id);
}

const repoOf = async (id: string): Promise<unknown> => (await ada.get(`/deploy/${id}`)).body.repo_name;
const uses = async (repo: string) => (await ada.get(`/repository/uses/ada/${repo}`)).body;
/** Folders of the owner on disk, names that nobody can ask for included. */
const onDisk = (): string[] => readdirSync(join(folder, 'data', 'git', 'ada')).toSorted();

test('a repository is renamed with the deploys that use it, and its old address ends', async () => {
  await push('site');
  await push('other');
  const [one, two] = [await createDeploy('One', 'site'), await createDeploy('Two', 'other')];
  expect(await uses('SITE')).toEqual({ deploys: [{ id: one, name: 'One' }] });
  const { status, body } = await ada.post('/repository/rename/ada/site', { new_name: 'page.v2' });
  expect([status, body]).toMatchObject([200, { name: 'page.v2', default_branch: 'main' }]);
  expect([await repoOf(one), await repoOf(two)]).toEqual(['page.v2', 'other']);
  expect(await names()).toEqual(['other', 'page.v2']);
  expect((await ada.get('/repository/content/ada/site')).status).toBe(404);
  expect((await ada.get('/repository/content/ada/page.v2')).body).toMatchObject({ branches: ['main'] });
  await expect(git(['ls-remote', remote('site')], folder)).rejects.toThrow();
  await git(['ls-remote', remote('page.v2')], folder);
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
  expect((await ada.delete('/repository/content/ada/page')).status).toBe(200);
  expect([await names(), onDisk()]).toEqual([['other'], ['other.git']]);
  expect((await ada.delete('/repository/content/ada/page')).status).toBe(404);
  // The deploy stays, and says what is missing when it is to run.
  expect(await repoOf(id)).toBe('page');
  for (const name of ['a', 'b', 'c', 'd', 'page']) await push(name);
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
  for (const name of await names()) await git(['ls-remote', remote(name)], folder);
  expect(onDisk()).toEqual((await names()).map((name) => `${name}.git`));
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
  expect(onDisk()).toEqual(before);
  expect(existsSync(join(own, 'other.git', 'HEAD'))).toBe(true);
});
