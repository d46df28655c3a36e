import { closeSync, mkdtempSync, openSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { StoreFailedError } from '../files/errors.ts';
import { GroupSync } from './group-sync.ts';
import { RedoLog } from './redo-log.ts';

function directory(): string {
  const made = mkdtempSync(join(tmpdir(), 'cannery-sync-'));
  onTestFinished(() => rmSync(made, { recursive: true }));
  return made;
}

function logIn(folder: string, name: string): RedoLog {
  const log = RedoLog.create(join(folder, name));
  onTestFinished(() => log.close());
  return log;
}

/** The same log on a file that the system refuses to sync. */
function refusing(log: RedoLog): RedoLog {
  const fd = openSync('/dev/null', 'r');
  onTestFinished(() => closeSync(fd));
  return Object.create(log, { fd: { value: fd } }) as RedoLog;
}

test('whoever waits for a disk that refuses to sync is told, as is everybody who comes later', async () => {
  const folder = directory();
  const sync = new GroupSync(refusing(logIn(folder, '1')), 4);
  const waiting: Promise<unknown>[] = [];
  sync.noteWritten(5);
  waiting.push(sync.wait(5), sync.switchTo(logIn(folder, '2')));
  sync.noteWritten(6);
  waiting.push(sync.wait(6));
  for (const { status, reason } of (await Promise.allSettled(waiting)) as PromiseRejectedResult[]) {
    expect(status).toBe('rejected');
    expect(reason).toBeInstanceOf(StoreFailedError);
  }
  expect(sync.failure?.message).toContain('could not be synced to disk');
  await expect(sync.switchTo(logIn(folder, '3'))).rejects.toThrow(StoreFailedError);
  await expect(sync.wait(6)).rejects.toThrow(StoreFailedError);
  await sync.wait(4);
});

test('a log that was left is on disk before the next one is used, and nobody waits for what was not written', async () => {
  const folder = directory();
  const sync = new GroupSync(logIn(folder, '1'), 0);
  sync.noteWritten(1);
  const left = sync.switchTo(logIn(folder, '2'));
  sync.noteWritten(2);
  await Promise.all([left, sync.wait(1), sync.wait(2)]);
  expect(sync.failure).toBeUndefined();
  await expect(sync.wait(3)).rejects.toThrow('No record 3 was committed.');
});
