import { execFileSync } from 'node:child_process';
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { removeFolder } from '../process/remove-folder.ts';

const isRoot = process.getuid?.() === 0 && process.platform === 'linux';
const folder = mkdtempSync(join(tmpdir(), 'cannery-disks-'));
afterAll(() => removeFolder(folder));

/** What a server finds out about its disks, in a process that is started by other words. */
function foundBy(words: readonly string[]): { has: boolean; gaps: string[] } {
  const dataDir = mkdtempSync(join(folder, 'data-'));
  const text = `
    const { findImages } = await import(${JSON.stringify(join(import.meta.dirname, 'find-images.ts'))});
    const { UserIds } = await import(${JSON.stringify(join(import.meta.dirname, 'user-ids.ts'))});
    const { images, gaps } = await findImages({ folder: ${JSON.stringify(join(dataDir, 'disks'))}, users: new UserIds(${JSON.stringify(join(dataDir, 'users'))}),
      most: ${JSON.stringify({ bytes: 1024 ** 2, entries: 1_000 })}, log: console });
    console.log(JSON.stringify({ has: images !== undefined, gaps }));
    process.exit(0);`;
  const [file = '', ...args] = [...words, process.execPath, '--input-type=module', '-e', text];
  return JSON.parse(execFileSync(file, args, { encoding: 'utf8' }));
}

/** The same where a file of the machine is none. */
const without = (path: string): readonly string[] => [
  'unshare',
  '--mount',
  'sh',
  '-c',
  `mount --bind /dev/null ${path} && exec "$@"`,
  'sh',
];

describe.runIf(isRoot)('where the kernel bounds no disk', () => {
  test.each([
    ['there is no mkfs', without('/usr/sbin/mkfs.ext4'), 'mkfs.ext4'],
    ['nothing can be mounted', without('/usr/bin/mount'), 'mount'],
    ['there is no view of mounts', without('/usr/bin/unshare'), 'view of mounts|unshare'],
  ])('[R7] since %s, the start says what to do', (_why, words, missing) => {
    const { has, gaps } = foundBy(words);
    expect([has, gaps.length]).toEqual([false, 1]);
    expect(gaps[0]).toMatch(/^The kernel does not bound the size and the number.*Install e2fsprogs/);
    expect(gaps[0]).toMatch(new RegExp(`What is missing: .*(?:${missing})`));
  });

  test('[R7] since the server is not root, the start says what to do', () => {
    // Its program and the modules are found by everybody.
    const words = ['setpriv', '--reuid', '65534', '--regid', '65534', '--clear-groups', '--'];
    const { has, gaps } = foundBy(words);
    expect([has, gaps]).toEqual([false, [expect.stringContaining('Only root can mount a disk')]]);
  });

  test('[R7] and where it does, the start says nothing', () => {
    expect(foundBy(['env'])).toEqual({ has: true, gaps: [] });
  });
});
