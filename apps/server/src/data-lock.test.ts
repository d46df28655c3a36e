import { mkdtemp, rm, writeFile } from 'node:fs/promises';
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
