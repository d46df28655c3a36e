import { open, stat } from 'node:fs/promises';
import { text } from 'node:stream/consumers';
import { startProgram } from '../../starter/start-program.ts';

const ENV = { PATH: '/usr/sbin:/usr/bin:/sbin:/bin', LC_ALL: 'C' };
/** Where the state of ext4 is: s_state of the super block, which begins at byte 1024 (kernel, filesystems/ext4/globals). */
const STATE_AT = 1024 + 0x3a;
/** EXT4_VALID_FS: unmounted in order, and no error seen. */
const IN_ORDER = 1;
const MOST_SAID = 300;

/**
 * Makes a file with an empty file system of so many bytes and inodes. It takes room on the disk as it is written to.
 * @throws Error where that cannot be made, with what the program says
 */
export async function makeImage(
  file: string,
  { bytes, entries }: { bytes: number; entries: number },
): Promise<void> {
  const handle = await open(file, 'wx', 0o600);
  try {
    await handle.truncate(bytes);
  } finally {
    await handle.close();
  }
  const args = ['-q', '-F', '-m', '0', '-N', String(entries), '-O', '^has_journal,^resize_inode'];
  const extended = ['-E', 'lazy_itable_init=1,nodiscard'];
  const program = await startProgram('mkfs.ext4', [...args, ...extended, '--', file], ENV, {
    withErrors: true,
    priority: 'usual',
  });
  const said = program.errors === null ? '' : text(program.errors);
  program.output.resume();
  const { code } = await program.ended;
  if (code !== 0) throw new Error(`mkfs.ext4 failed: ${(await said).trim().slice(0, MOST_SAID)}`);
}

/** Whether a file has so many bytes and a file system that was unmounted in order. */
export async function isSound(file: string, bytes: number): Promise<boolean> {
  if ((await stat(file)).size !== bytes) return false;
  const handle = await open(file, 'r');
  try {
    const state = Buffer.alloc(2);
    await handle.read(state, 0, state.length, STATE_AT);
    return state.readUInt16LE() === IN_ORDER;
  } finally {
    await handle.close();
  }
}
