import { execFile } from 'node:child_process';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { git, processes } from '@cannery/dev-env';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { ApiClient } from '../support/client.ts';
import { workOf } from '../support/git-work.ts';
import { NO_NETWORK } from '../support/server.ts';
import { type Program, startProduct } from '../support/server-process.ts';

/** A git, or the whole server, dies in the middle of a push. */

const MIB = 1024 * 1024;
let folder: string;
let dataDir: string;
let product: Program;
let secret: string;

const start = () =>
  startProduct({ DATA_DIR: dataDir, IC_URL: NO_NETWORK, WORKER: 'off', REPOSITORY_MB: '30', GIT_MB: '60' });

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'cannery-cut-pushes-'));
  dataDir = await mkdtemp(join(folder, 'data-'));
  product = await start();
  const ada = await ApiClient.signIn(product.url, 'ada');
  secret = String((await ada.post('/repository/tokens', { label: 'x' })).body.secret);
});
afterAll(async () => {
  await product.kill('SIGTERM');
  await rm(folder, { recursive: true, force: true });
});

const remote = (name: string): string => `${product.url.replace('://', `://x:${secret}@`)}/ada/${name}.git`;
const gitDirOf = (name: string): string => join(dataDir, 'git', 'ada', `${name}.git`);
const incoming = async (name: string): Promise<string[]> =>
  (await readdir(join(gitDirOf(name), 'objects'))).filter((entry) => entry.startsWith('tmp_'));

/** Begins a push of a number of bytes that is still under way when its objects have begun to come. */
async function pushUnderWay(name: string, bytes: number): Promise<{ readonly ended: Promise<unknown> }> {
  const work = await workOf(folder, bytes);
  const slow = ['-c', 'http.postBuffer=65536', 'push', remote(name), 'main:large'];
  const ended = promisify(execFile)('git', slow, {
    cwd: work,
    env: { ...process.env, GIT_TERMINAL_PROMPT: '0', LC_ALL: 'C' },
  }).catch((error: unknown) => error);
  await expect.poll(() => incoming(name), { interval: 1 }).not.toEqual([]);
  return { ended };
}

/** Kills every git that the product has started. */
function killGits(): void {
  const all = processes();
  const below = (parent: number): number[] =>
    all.filter((one) => one.parent === parent).flatMap(({ id }) => [id, ...below(id)]);
  const ours = new Set(below(product.child.pid ?? 0));
  for (const { id, command } of all) {
    if (!ours.has(id) || !/\bgit\b/.test(command)) continue;
    try {
      process.kill(id, 'SIGKILL');
    } catch {
      // It has ended with the one before it.
    }
  }
}

test('a git that is killed in a push leaves nothing behind, and the next push is taken', async () => {
  const small = await workOf(folder, MIB);
  await git(['push', '-q', remote('killed'), 'main'], small);
  const push = await pushUnderWay('killed', 24 * MIB);
  killGits();
  expect(await push.ended).toBeInstanceOf(Error);
  await expect.poll(() => incoming('killed')).toEqual([]);
  await git(['push', '-q', remote('killed'), 'main:other'], small);
});

test('a server that is killed in a push has lost nothing that it took, and its repository takes pushes again', async () => {
  const small = await workOf(folder, MIB);
  await git(['push', '-q', remote('cut'), 'main'], small);
  const push = await pushUnderWay('cut', 24 * MIB);
  await product.kill('SIGKILL');
  expect(await push.ended).toBeInstanceOf(Error);
  product = await start();
  expect(await incoming('cut')).toEqual([]);
  const refs = await git(['ls-remote', '--heads', remote('cut')], small);
  expect(refs.trim().split('\n')).toHaveLength(1);
  expect(refs).toContain((await git(['rev-parse', 'main'], small)).trim());
  await git(['push', '-q', remote('cut'), 'main:large'], small);
});

test('locks of a git that is gone keep nobody from pushing', async () => {
  const work = await workOf(folder, 1000);
  await git(['push', '-q', remote('locked'), 'main'], work);
  const gitDir = gitDirOf('locked');
  const locks = ['refs/heads/main.lock', 'packed-refs.lock', 'config.lock', 'HEAD.lock'];
  for (const lock of locks) await writeFile(join(gitDir, lock), '');
  await git(['commit', '-q', '--allow-empty', '-m', 'more'], work);
  await git(['push', '-q', remote('locked'), 'main'], work);
  expect(await git(['ls-remote', remote('locked'), 'main'], work)).toContain(
    (await git(['rev-parse', 'main'], work)).trim(),
  );
  for (const lock of locks) await expect(readFile(join(gitDir, lock))).rejects.toThrow('ENOENT');
});
