import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { git } from '@cannery/dev-env';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { openBucketObjects } from '../../src/blobs/bucket-objects.ts';
import { configOf } from '../../src/config/config.ts';
import { readEnv } from '../../src/config/env.ts';
import { createEmbeddedGitHost, type EmbeddedGitHost } from '../../src/git/host/embedded-host.ts';
import { idsOfFolder } from '../../src/git/remote/git-lease.ts';
import { idOf } from '../../src/git/repository/repository-id.ts';
import { gitText, runGit } from '../../src/git/repository/run-git.ts';
import { createLogger } from '../../src/log/logger.ts';
import {
  type CopyManifest,
  manifestBytes,
  manifestKey,
  parseManifest,
} from '../../src/repository-copies/copy-format.ts';
import { openCopies } from '../../src/repository-copies/open-copies.ts';
import { noteRemoved } from '../../src/repository-copies/removed-repositories.ts';
import type { RepositoryCopies } from '../../src/repository-copies/repository-copies.ts';
import { restoreCopies } from '../../src/repository-copies/restore-copies.ts';
import { type S3Service, startS3Service } from '../service/s3-service.ts';
import { lfsClients, lfsFile, someFile } from '../support/lfs-client.ts';
import { NO_NETWORK, startTestServer } from '../support/server.ts';
import { workOf } from '../support/git-work.ts';
import { killCopying, pushTo, told } from './copied-repository.ts';

const COMMAND = fileURLToPath(new URL('../../src/backup/restore-repositories-command.ts', import.meta.url));
const ada = { id: '1', username: 'ada' };
const limits = { repositories: 40, repositoryBytes: 1e9, bytes: 1e9, refs: 100, pushesPerMinute: 60 };
const TEMPLATE = fileURLToPath(new URL('../../../../examples/static-site', import.meta.url));
const SOON = { timeout: 30_000, interval: 50 };

let folder: string;
let root: string;
let s3: S3Service;
let host: EmbeddedGitHost;
let copies: RepositoryCopies | undefined;
let owned = true;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'cannery-copies-'));
  root = join(folder, 'git');
  const objects = join(folder, 's3');
  await mkdir(objects);
  await mkdir(root);
  s3 = await startS3Service({ directory: objects, port: 0 });
  owned = true;
  host = createEmbeddedGitHost({
    dataDir: folder,
    publicUrl: () => 'http://console',
    limits,
    onContent: (owner) => copies?.changed(owner),
    async onRemoving(id) {
      await noteRemoved(root, id);
      copies?.removed();
    },
  });
});
afterEach(async () => {
  s3.hold(undefined);
  await copies?.stop();
  copies = undefined;
  await s3[Symbol.asyncDispose]();
  await rm(folder, { recursive: true, force: true });
});

const settings = (): Record<string, string> =>
  Object.fromEntries(
    Object.entries({
      ...s3.settings,
      DATA_DIR: folder,
      REPOSITORIES_DIR: root,
      REPOSITORIES_BACKUP: 'on',
    }).map(([name, value]) => [name, String(value)]),
  );

function bucket() {
  const { repositoryCopies } = configOf(readEnv(settings()));
  if (repositoryCopies === undefined) throw new Error('There are no settings of a bucket.');
  return repositoryCopies;
}

async function start(): Promise<void> {
  copies = await openCopies({
    root,
    folder: await folderId(),
    bucket: bucket(),
    holds: () => owned,
    log: createLogger({ logLevel: 'silent' }),
    soonMs: 100,
  });
}

const folderId = async (): Promise<string> => (await idsOfFolder(root, folder)).folder;
const gitDirOf = (name: string): string => join(root, 'ada', `${name}.git`);

/** Keys in the bucket that have to do with repositories. */
async function keys(): Promise<string[]> {
  const objects = openBucketObjects(bucket());
  const found: string[] = [];
  for await (const key of objects.list('repositories/')) found.push(key);
  objects.close();
  return found;
}

/** What the bucket has of a repository of this id. */
async function stateOf(id: string): Promise<CopyManifest | undefined> {
  const key = (await keys()).filter((each) => each.includes(`/manifests/${id}/`)).at(-1);
  return key === undefined ? undefined : parseManifest(await readFile(s3.fileOf(key), 'utf8'));
}

/** Waits until the bucket has the refs that the repository has now. */
async function copied(gitDir: string): Promise<void> {
  const id = await idOf(gitDir);
  const output = await runGit(['--git-dir', gitDir, 'for-each-ref', '--format=%(objectname) %(refname)']);
  const refs = output.toString('latin1').trimEnd().split('\n');
  await vi.waitFor(async () => {
    const state = await stateOf(id);
    expect(state?.refs.map((ref) => ref.join(' '))).toEqual(refs);
    expect(`${state?.name}.git`).toBe(gitDir.split('/').at(-1));
  }, SOON);
  if (copies !== undefined) await vi.waitFor(() => expect(copies?.oldestSeconds()).toBe(0), SOON);
}

/** A repository that is copied, and a clone of it. */
async function copiedClone(): Promise<{ gitDir: string; work: string }> {
  await start();
  await host.addFromFolder(ada, 'notes', TEMPLATE);
  const gitDir = gitDirOf('notes');
  await copied(gitDir);
  const work = join(folder, 'clone');
  await git(['clone', '-q', gitDir, work], folder);
  return { gitDir, work };
}

async function push(work: string, gitDir: string): Promise<void> {
  await pushTo(work, gitDir);
  host.noteChange(ada);
}

/** Brings back what the bucket has into a new folder. */
async function restored(): Promise<{ target: string } & Awaited<ReturnType<typeof restoreCopies>>> {
  const target = await mkdtemp(join(folder, 'restored-'));
  const objects = openBucketObjects(bucket());
  try {
    return { target, ...(await restoreCopies(objects, { root: target })) };
  } finally {
    objects.close();
  }
}

test('what people push to the product is in the bucket soon, and a server on a restored folder has it all', async () => {
  const options = { ...s3.settings, IC_URL: NO_NETWORK, DATA_DIR: join(folder, 'data') };
  let server = await startTestServer({ ...options, REPOSITORIES_BACKUP: 'on' });
  const lost = join(folder, 'data/git');
  const clients = lfsClients(() => server.url);
  const file = someFile(200_000);
  const lfs = await clients.lfsOf('ada', 'notes');
  const work = await workOf(folder, 300_000);
  const remote = new URL('/ada/notes.git', server.url);
  remote.username = 'x';
  remote.password = await clients.tokenOf('ada');
  await git(['tag', '-a', '-m', 'one', 'v1'], work).catch(() => git(['tag', 'v1'], work));
  await git(['push', '-q', remote.href, 'main', 'main:refs/heads/other', 'v1'], work);
  expect(await lfs.upload(file)).toBe(200);
  expect(await lfs.upload(lfsFile(Buffer.alloc(0)))).toBe(200);
  const gitDir = join(lost, 'ada/notes.git');
  await copied(gitDir);
  const id = await idOf(gitDir);
  await vi.waitFor(async () => {
    const state = await stateOf(id);
    const list = (await keys()).find((key) => key.endsWith(state?.lfs?.sha256 ?? 'none'));
    expect(await readFile(s3.fileOf(list ?? ''), 'utf8')).toContain(`${file.oid}-${file.size}\n`);
    expect(state?.lfs?.bytes).toBeGreaterThan(120);
  }, SOON);
  const before = await told(gitDir);
  await server.close();

  const REPOSITORIES_DIR = join(folder, 'new');
  const env = { PATH: process.env.PATH, ...settings(), REPOSITORIES_DIR };
  const { stdout } = await promisify(execFile)(process.execPath, [COMMAND], { env });
  expect(stdout).toContain('has 1 repositories of the folder');
  const after = join(REPOSITORIES_DIR, 'ada/notes.git');
  expect(await told(after)).toEqual(before);
  expect(await readFile(join(after, 'config'), 'utf8')).toBe(await readFile(join(gitDir, 'config'), 'utf8'));
  await rm(lost, { recursive: true });
  server = await startTestServer({ ...options, REPOSITORIES_DIR });
  try {
    expect(await (await clients.lfsOf('ada', 'notes')).download(file)).toEqual(file.bytes);
    remote.port = new URL(server.url).port;
    expect(await git(['ls-remote', remote.href], work)).toBe(await git(['ls-remote', after], work));
  } finally {
    await server.close();
  }
}, 120_000);

test('pushes send what is new only, and what git has packed into one replaces its parts', async () => {
  const { gitDir, work } = await copiedClone();
  await push(work, gitDir);
  await push(work, gitDir);
  await copied(gitDir);
  const earlier = await keys();
  const times = new Map(
    await Promise.all(earlier.map(async (key) => [key, (await stat(s3.fileOf(key))).ctimeMs] as const)),
  );
  await push(work, gitDir);
  await copied(gitDir);
  const later = await keys();
  const objects = (all: string[]) => all.filter((key) => key.includes('/objects/'));
  // A pack and its index came; nothing that was there was put again, and the former manifest went.
  expect(objects(later)).toHaveLength(objects(earlier).length + 2);
  for (const key of objects(earlier)) expect((await stat(s3.fileOf(key))).ctimeMs).toBe(times.get(key));
  expect(later.filter((key) => key.includes('/manifests/'))).toHaveLength(1);

  await gitText(['--git-dir', gitDir, 'gc', '--quiet', '--prune=now']);
  host.noteChange(ada);
  await vi.waitFor(async () => expect(objects(await keys())).toHaveLength(2), SOON);
  await push(work, gitDir);
  await copied(gitDir);
  const { target } = await restored();
  expect(await told(join(target, 'ada/notes.git'))).toEqual(await told(gitDir));
}, 120_000);

test('names of refs come back byte for byte, also those that look like lines', async () => {
  await host.addFromFolder(ada, 'notes', TEMPLATE);
  const gitDir = gitDirOf('notes');
  const commit = (await gitText(['--git-dir', gitDir, 'rev-parse', 'refs/heads/main'])).trim();
  for (const ref of [Buffer.from('a\u2028id x'.replace(' ', '-')), Buffer.from([0x66, 0xfc, 0x85, 0xa0])]) {
    const path = Buffer.concat([Buffer.from(`${gitDir}/refs/heads/`), ref]);
    await writeFile(path, `${commit}\n`);
  }
  await start();
  await copied(gitDir);
  const { target } = await restored();
  expect(await told(join(target, 'ada/notes.git'))).toEqual(await told(gitDir));
  expect((await told(gitDir))[0]?.split('\n')).toHaveLength(4);
});

test('another name is followed, and a deleted repository goes; one that is only missing stays', async () => {
  await start();
  for (const name of ['one', 'two', 'three']) await host.addFromFolder(ada, name, TEMPLATE);
  for (const name of ['one', 'two', 'three']) await copied(gitDirOf(name));
  const watcher = { renamed: async () => undefined, removed: async () => undefined };
  await host.rename(ada, { owner: 'ada', name: 'one' }, 'first', watcher);
  await copied(gitDirOf('first'));
  const id = await idOf(gitDirOf('two'));
  await s3.stop();
  await host.remove(ada, { owner: 'ada', name: 'two' }, watcher);
  await copies?.stop();
  await s3.start();
  // The disk has lost it; nobody has deleted it.
  await rm(gitDirOf('three'), { recursive: true });
  await start();
  await vi.waitFor(async () => expect((await keys()).filter((key) => key.includes(id))).toEqual([]), SOON);
  const { target, restored: count } = await restored();
  expect(count).toBe(2);
  expect((await readdir(join(target, 'ada'))).toSorted()).toEqual(['first.git', 'three.git']);
}, 120_000);

test.each([
  ['before the manifest', 'PUT', '/manifests/', false],
  ['before old objects go', 'DELETE', '/objects/', true],
  ['before the old manifest goes', 'DELETE', '/manifests/', true],
] as const)(
  'a kill %s leaves a whole state, and the next process ends the work',
  async (_what, method, part, isLater) => {
    await start();
    await host.addFromFolder(ada, 'notes', TEMPLATE);
    const gitDir = gitDirOf('notes');
    await copied(gitDir);
    const before = await told(gitDir);
    await copies?.stop();
    copies = undefined;
    const work = join(folder, 'clone');
    await git(['clone', '-q', gitDir, work], folder);
    await push(work, gitDir);
    await gitText(['--git-dir', gitDir, 'gc', '--quiet', '--prune=now']);
    const after = await told(gitDir);
    await killCopying(s3, settings(), (asked, url) => asked === method && url.includes(part));
    const first = await restored();
    expect(await told(join(first.target, 'ada/notes.git'))).toEqual(isLater ? after : before);
    await start();
    await copied(gitDir);
    await vi.waitFor(async () => expect(await keys()).toHaveLength(3), SOON);
    const second = await restored();
    expect(await told(join(second.target, 'ada/notes.git'))).toEqual(after);
  },
  120_000,
);

test('a bucket that is away loses nothing: the age of the oldest change grows until it is back', async () => {
  const { gitDir, work } = await copiedClone();
  await s3.stop();
  await push(work, gitDir);
  const pushed = performance.now();
  await vi.waitFor(() => expect(copies?.oldestSeconds()).toBeGreaterThan(2), SOON);
  await push(work, gitDir);
  expect(copies?.oldestSeconds()).toBeGreaterThan((performance.now() - pushed) / 1000 - 0.1);
  // Another process finds by the files how old the oldest one is.
  await copies?.stop();
  await start();
  await vi.waitFor(
    () => expect(copies?.oldestSeconds()).toBeGreaterThan((performance.now() - pushed) / 1000 - 1),
    SOON,
  );
  await s3.start();
  await copied(gitDir);
}, 120_000);

test('what the bucket has lost is copied again at the next start', async () => {
  await start();
  await host.addFromFolder(ada, 'notes', TEMPLATE);
  await copied(gitDirOf('notes'));
  await copies?.stop();
  const key = (await keys()).find((each) => each.includes('/manifests/')) ?? '';
  const objects = openBucketObjects(bucket());
  await objects.remove(key);
  objects.close();
  await start();
  await copied(gitDirOf('notes'));
});

test('a process whose folder another one has taken writes nothing', async () => {
  owned = false;
  await start();
  await host.addFromFolder(ada, 'notes', TEMPLATE);
  await vi.waitFor(() => expect(copies?.oldestSeconds()).toBeGreaterThan(2), SOON);
  expect(await keys()).toEqual([]);
});

test('what is damaged, missing or hostile in the bucket is named, and everything else is brought back', async () => {
  await start();
  const names = ['damaged', 'missing', 'short', 'manifest', 'whole'];
  for (const name of names) await host.addFromFolder(ada, name, TEMPLATE);
  for (const name of names) await copied(gitDirOf(name));
  await copies?.stop();
  const ids = Object.fromEntries(
    await Promise.all(names.map(async (name) => [name, await idOf(gitDirOf(name))] as const)),
  );
  const all = await keys();
  const fileOf = (part: string, name: string): string =>
    s3.fileOf(all.find((key) => key.includes(`/${part}/${ids[name]}/`)) ?? '');
  const content = await readFile(fileOf('objects', 'damaged'));
  content[content.length >> 1] = (content[content.length >> 1] ?? 0) ^ 1;
  await writeFile(fileOf('objects', 'damaged'), content);
  await rm(fileOf('objects', 'missing'));
  await writeFile(fileOf('objects', 'short'), content.subarray(1));
  await writeFile(fileOf('manifests', 'manifest'), '{}');
  // A manifest with the right hash that names places elsewhere.
  const good = await stateOf(ids['whole'] ?? '');
  if (good === undefined) throw new Error('There is no copy.');
  const id = '00000000-0000-4000-8000-000000000000';
  const hostile = JSON.stringify({ ...good, id, owner: '../../outside' });
  const hash = createHash('sha256').update(hostile).digest('hex');
  const objects = openBucketObjects(bucket());
  await objects.putBytes(manifestKey(await folderId(), id, 1, hash), Buffer.from(hostile));
  objects.close();
  expect(() => manifestBytes({ ...good, name: '../x' })).toThrow();

  const { target, failures, restored: count } = await restored();
  expect(count).toBe(1);
  expect(await readdir(join(target, 'ada'))).toEqual(['whole.git']);
  expect((await readdir(target)).toSorted()).toEqual(['.cannery-folder', '.cannery-owners', 'ada']);
  expect(failures).toHaveLength(5);
  expect(failures.join('\n')).toMatch(
    /^The repository with the id 00000000-.*cannot be read by this version/m,
  );
  expect(failures.join('\n')).toMatch(/^ada\/damaged: .*is damaged/m);
  expect(failures.join('\n')).toMatch(/^ada\/missing: There is no object/m);
  expect(failures.join('\n')).toMatch(/^ada\/short: .*is damaged/m);
  expect(failures.join('\n')).toContain(`The repository with the id ${ids['manifest']}: The manifest`);

  // The command says so and fails; a folder with something in it is left alone, and so is a second try.
  const env = { PATH: process.env.PATH, ...settings(), REPOSITORIES_DIR: join(folder, 'by-command') };
  const run = promisify(execFile)(process.execPath, [COMMAND], { env });
  await expect(run).rejects.toMatchObject({ code: 1, stderr: expect.stringContaining('5 could not be') });
  const again = promisify(execFile)(process.execPath, [COMMAND], { env });
  await expect(again).rejects.toMatchObject({ code: 1, stderr: expect.stringContaining('is not empty') });
}, 120_000);
