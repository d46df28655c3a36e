import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readdir, rm, statfs, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { git } from '@cannery/dev-env';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { ApiClient } from '../support/client.ts';
import { workOf } from '../support/git-work.ts';
import { NO_NETWORK } from '../support/server.ts';
import { type Program, seenBy, startProductOnSmallDisk } from '../support/server-process.ts';

const MIB = 1024 * 1024;
const DISK_BYTES = 12 * MIB;

let folder: string;
let product: Program;
/** The repositories, as the product sees them. */
let root: string;
let remote: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'cannery-small-disk-'));
  const dataDir = join(folder, 'data');
  const repositories = join(dataDir, 'git');
  await mkdir(repositories, { recursive: true });
  product = await startProductOnSmallDisk(
    { DATA_DIR: dataDir, IC_URL: NO_NETWORK },
    { folder: repositories, bytes: DISK_BYTES },
  );
  root = seenBy(product, repositories);
  const ada = await ApiClient.signIn(product.url, 'ada');
  const { body } = await ada.post('/repository/tokens', { label: 'x' });
  remote = `${product.url.replace('://', `://x:${body.secret}@`)}/ada/site.git`;
});
afterAll(async () => {
  await product.kill('SIGTERM');
  await rm(folder, { recursive: true, force: true });
});

const work = (bytes: number): Promise<string> => workOf(folder, bytes);

const freeBytes = async (): Promise<number> => {
  const { bavail, bsize } = await statfs(root);
  return bavail * bsize;
};

test('health says that the disk is full, as long as it is', async () => {
  const disk = async () => (await fetch(`${product.url}/api/health`)).json();
  expect(await disk()).toMatchObject({ disk: true });
  await writeFile(join(root, 'filler'), Buffer.alloc((await freeBytes()) - 64 * 1024));
  expect(await disk()).toMatchObject({ status: 'degraded', disk: false });
  await rm(join(root, 'filler'));
  expect(await disk()).toMatchObject({ disk: true });
});

test('a push that the disk has no room for says so, leaves nothing behind, and the next one is taken', async () => {
  await git(['push', '-q', remote, 'main'], await work(MIB));
  const kept = (await readdir(root, { recursive: true })).toSorted();
  const free = await freeBytes();
  const large = await work(2 * DISK_BYTES);
  const push = promisify(execFile)('git', ['push', remote, 'main:large'], {
    cwd: large,
    env: { ...process.env, GIT_TERMINAL_PROMPT: '0', LC_ALL: 'C' },
  });
  await expect(push).rejects.toThrow(
    /remote: The disk of the server is full\. Nothing was saved\.\s+remote: .*No space left on device/,
  );
  expect((await readdir(root, { recursive: true })).toSorted()).toEqual(kept);
  expect(await freeBytes()).toBe(free);
  await git(['push', '-q', remote, 'main:other'], await work(MIB));
  expect(await git(['ls-remote', '--heads', remote], large)).toMatch(
    /refs\/heads\/main\n.*refs\/heads\/other/,
  );
});
