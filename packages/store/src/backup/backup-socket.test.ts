import { createHash } from 'node:crypto';
import { once } from 'node:events';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { requestBackup, serveBackups } from './backup-socket.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'cannery-control-test-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** Longer than a socket's path may be. */
function deepFolder(): string {
  const deep = join(folder, 'd'.repeat(100));
  mkdirSync(deep);
  return deep;
}

test.each([
  ['in a short folder', () => folder],
  ['in a deep folder', deepFolder],
])('the owner is reached %s, and not after it has closed', async (_name, make) => {
  const directory = make();
  const asked: string[] = [];
  const served = await serveBackups(directory, async (to) => void asked.push(to));
  expect(await requestBackup(directory, '/somewhere')).toBe(true);
  expect(asked).toEqual(['/somewhere']);
  await served.close();
  expect(await requestBackup(directory, '/somewhere')).toBe(false);
});

test('what others made in the temporary folder beforehand does not stop the owner', async () => {
  const directory = deepFolder();
  const name = createHash('sha256').update(directory).digest('hex').slice(0, 16);
  // A folder cannot be removed as a file: what root meets where another user's file cannot be removed.
  const guessed = join(tmpdir(), `cannery-${name}.sock`);
  mkdirSync(guessed);
  try {
    const served = await serveBackups(directory, async () => undefined);
    expect(await requestBackup(directory, '/somewhere')).toBe(true);
    await served.close();
  } finally {
    rmSync(guessed, { recursive: true });
  }
});

test('a folder that others may enter is not asked, and a killed owner’s record is written again', async () => {
  const directory = deepFolder();
  const loose = join(folder, 'loose');
  mkdirSync(loose);
  chmodSync(loose, 0o755);
  writeFileSync(join(directory, 'control.folder'), loose);
  // Somebody else listens there.
  let asked = 0;
  const stranger = createServer((socket) => {
    asked += 1;
    socket.end('{}\n');
  }).listen(join(loose, 'control.sock'));
  await once(stranger, 'listening');
  expect(await requestBackup(directory, '/somewhere')).toBe(false);
  expect(asked).toBe(0);
  stranger.close();
  const served = await serveBackups(directory, async () => undefined);
  const made = readFileSync(join(directory, 'control.folder'), 'utf8');
  expect(dirname(made)).toBe(tmpdir());
  expect(made).not.toBe(loose);
  expect(statSync(made).mode & 0o777).toBe(0o700);
  await served.close();
  expect(existsSync(made)).toBe(false);
});
