import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { lockDataDir } from './data-lock.ts';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'lock-'));
});
afterEach(() => rm(folder, { recursive: true }));

test('a second server on the same folder is told what to do', async () => {
  const lock = await lockDataDir(folder);
  await expect(lockDataDir(folder, 0)).rejects.toThrow(/already running on .*set DATA_DIR/s);
  lock.release();
  (await lockDataDir(folder)).release();
});

test('a server that is closing down is waited for', async () => {
  const lock = await lockDataDir(folder);
  const next = lockDataDir(folder, 5_000);
  setTimeout(() => lock.release(), 150);
  (await next).release();
});

test('the lock of a process that is gone is taken over, also when its id was given away since', async () => {
  await writeFile(join(folder, 'server.lock'), '4194303 1');
  (await lockDataDir(folder)).release();
  await writeFile(join(folder, 'server.lock'), `${process.pid} 1`);
  (await lockDataDir(folder)).release();
  await writeFile(join(folder, 'server.lock'), '');
  (await lockDataDir(folder)).release();
});

test.each(['', '4194303 1'])(
  'of many at once exactly one gets the folder (lock left behind: %j)',
  async (left) => {
    for (let round = 0; round < 20; round++) {
      const own = await mkdtemp(join(folder, 'many-'));
      if (left !== '') await writeFile(join(own, 'server.lock'), left);
      const outcomes = await Promise.allSettled(Array.from({ length: 8 }, () => lockDataDir(own, 0)));
      expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
      expect(await readdir(own)).toEqual(['server.lock']);
    }
  },
);
