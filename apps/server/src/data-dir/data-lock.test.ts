import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
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

test('a server that has ended holds nothing, though nobody has waited for it', async () => {
  // The shell becomes a program that waits for no child, as the first process of a container may be.
  const parent = spawn('sh', ['-c', 'sleep 0.2 & echo $!; exec sleep 60']);
  try {
    const [text] = (await once(parent.stdout, 'data')) as [Buffer];
    const pid = Number(String(text));
    const fields = (): string[] =>
      (readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1] ?? '').split(' ');
    await writeFile(join(folder, 'server.lock'), `${pid} ${fields()[19]}`);
    await expect.poll(() => fields()[0], { timeout: 30_000 }).toBe('Z');
    (await lockDataDir(folder, 0)).release();
  } finally {
    parent.kill('SIGKILL');
  }
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
