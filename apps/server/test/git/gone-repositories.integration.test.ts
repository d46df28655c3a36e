import { mkdtempSync, renameSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { git } from '@cannery/dev-env';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import type { RunningServer } from '../../src/start-server.ts';
import { ApiClient } from '../support/client.ts';
import { workOf } from '../support/git-work.ts';
import { NO_NETWORK, startTestServer } from '../support/server.ts';

let folder: string;
let root: string;
let server: RunningServer;
let ada: ApiClient;
let secret: string;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'cannery-gone-'));
  root = join(folder, 'data', 'git');
  server = await startTestServer({ IC_URL: NO_NETWORK, DATA_DIR: join(folder, 'data') });
  ada = await ApiClient.signIn(server.url, 'ada');
  secret = String((await ada.post('/repository/tokens', { label: 'x' })).body.secret);
});
afterAll(async () => {
  await server.close();
  rmSync(folder, { recursive: true, force: true });
});

let round = 0;
let name: string;
let ids: { site: string; code: string; other: string };
/** Where the repository of the test lies. */
const place = (): string => join(root, 'ada', `${name}.git`);
const isMarked = async (id: string): Promise<unknown> =>
  (await ada.get(`/deploy/${id}`)).body.repository_deleted;
const marks = (): Promise<unknown[]> => Promise.all([ids.site, ids.code, ids.other].map(isMarked));
const plan = async (): Promise<unknown> => (await ada.get(`/deploy/${ids.code}/plan`)).body.code;

async function push(repo: string): Promise<void> {
  const remote = `${server.url.replace('://', `://x:${secret}@`)}/ada/${repo}.git`;
  await git(['push', '-q', '--force', remote, 'HEAD:refs/heads/main'], await workOf(folder, 10));
}

async function deployOf(repo: string, type: string): Promise<string> {
  const body = { name: repo, deploy_type: type, repo_name: repo, owner: 'ada', branch: 'main' };
  return String((await ada.post('/deploy', { ...body, is_public: false })).body.id);
}

/** The log of a run that has failed. */
async function failedRun(id: string): Promise<string> {
  const run = String((await ada.post(`/deploy/${id}/trigger`, {})).body.id);
  const read = async () => (await ada.get(`/deploy/${id}/instances/${run}`)).body;
  await expect.poll(async () => (await read()).status, { timeout: 30_000 }).toBe('FAILED');
  return String((await read()).logs);
}

beforeEach(async () => {
  name = `page-${(round += 1)}`;
  await push(name);
  if (round === 1) await push('other');
  ids = {
    site: await deployOf(name, 'STATIC_SITE'),
    code: await deployOf(name, 'MOTOKO'),
    other: await deployOf('other', 'STATIC_SITE'),
  };
});

test('a run that finds its repository gone says so on every deploy of it, whatever has its name', async () => {
  rmSync(place(), { recursive: true });
  await push(name);
  expect(await marks()).toEqual([false, false, false]);
  expect(await failedRun(ids.site)).toContain(`Failed: The repository ada/${name} was deleted.`);
  expect(await marks()).toEqual([true, true, false]);
});

test('a plan that finds it gone says so too, also where nothing of the owner is left', async () => {
  renameSync(join(root, 'ada'), join(folder, `all-${name}`));
  expect(await plan()).toBe('repository_deleted');
  renameSync(join(folder, `all-${name}`), join(root, 'ada'));
  expect(await marks()).toEqual([true, true, false]);
});

test('a repository that is put back is no longer gone when a run has read it', async () => {
  renameSync(place(), join(folder, name));
  expect(await plan()).toBe('repository_deleted');
  expect(await marks()).toEqual([true, true, false]);
  renameSync(join(folder, name), place());
  expect(await failedRun(ids.site)).toContain('Commit ');
  expect(await marks()).toEqual([false, false, false]);
});

test('a disk that is away, or holds what cannot be read, proves nothing', async () => {
  // A repository on another disk.
  renameSync(place(), join(folder, name));
  symlinkSync(join(folder, 'not-mounted'), place());
  expect(await plan()).toBe('repository_busy');
  // Another repository cannot be asked for its id.
  rmSync(place());
  const other = join(root, 'ada', 'other.git');
  renameSync(join(other, 'cannery-id'), join(folder, 'other-id'));
  symlinkSync(join(other, 'cannery-id'), join(other, 'cannery-id'));
  expect(await plan()).toBe('internal');
  rmSync(join(other, 'cannery-id'));
  renameSync(join(folder, 'other-id'), join(other, 'cannery-id'));
  // All of the git host.
  renameSync(root, join(folder, 'git'));
  expect(await plan()).toBe('internal');
  expect(await failedRun(ids.site)).toContain('something went wrong on the server');
  renameSync(join(folder, 'git'), root);
  renameSync(join(folder, name), place());
  expect(await marks()).toEqual([false, false, false]);
  expect(await plan()).toBe(undefined);
});

test('renames under way are never taken for a deletion', async () => {
  let isDone = false;
  const names = [name, `${name}-x`];
  const renaming = (async () => {
    for (let turn = 0; turn < 40; turn += 1) {
      const [from = '', to = ''] = turn % 2 === 0 ? names : names.toReversed();
      const { status } = await ada.post(`/repository/rename/ada/${from}`, { new_name: to });
      expect(status).toBe(200);
    }
    isDone = true;
  })();
  const seen = new Set<unknown>();
  while (!isDone) seen.add(await plan());
  await renaming;
  expect([...seen]).toEqual([undefined]);
  expect(await marks()).toEqual([false, false, false]);
});
