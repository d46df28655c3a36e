import { lstat, open, readFile, readlink, stat, statfs, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { text } from 'node:stream/consumers';
import { startProgram } from '../../starter/start-program.ts';

const ENV = { PATH: '/usr/sbin:/usr/bin:/sbin:/bin', LC_ALL: 'C' };
/** Where ext4 says how it is: fields of the super block, which begins at byte 1024 (kernel, filesystems/ext4/globals). */
const SUPER_AT = 1024;
const SUPER_BYTES = 1024;
/** s_state. EXT4_VALID_FS: no error was seen, and without a journal also: it was unmounted in order. */
const STATE_AT = 0x3a;
const IN_ORDER = 1;
/** s_feature_incompat. INCOMPAT_RECOVER: the journal has something that belongs into the file system. */
const FEATURES_AT = 0x60;
const RECOVER = 4;
/**
 * MiB of the journal. It is there for speed: without one the kernel looks at every inode that was removed in the last minutes, for
 * each file that is made (fs/ext4/ialloc.c, recently_deleted). After 60,000 files were removed, 50 took 75 ms; with it, 1 ms.
 */
const JOURNAL_MIB = 8;
const MOST_SAID = 300;

/**
 * Makes a file with an empty file system of this many bytes and inodes. It takes room on the disk as it is written to.
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
  const args = [
    '-q',
    '-F',
    '-m',
    '0',
    '-N',
    String(entries),
    '-J',
    `size=${JOURNAL_MIB}`,
    '-O',
    '^resize_inode',
  ];
  const extended = ['-E', 'lazy_itable_init=1,lazy_journal_init=1,nodiscard'];
  const program = await startProgram('mkfs.ext4', [...args, ...extended, '--', file], ENV, {
    withErrors: true,
    priority: 'usual',
  });
  const said = program.errors === null ? '' : text(program.errors);
  program.output.resume();
  const { code } = await program.ended;
  if (code !== 0) throw new Error(`mkfs.ext4 failed: ${(await said).trim().slice(0, MOST_SAID)}`);
}

/** Whether a file has this many bytes and a file system that was unmounted in order. */
export async function isSound(file: string, bytes: number): Promise<boolean> {
  if ((await stat(file)).size !== bytes) return false;
  const handle = await open(file, 'r');
  try {
    const block = Buffer.alloc(SUPER_BYTES);
    await handle.read(block, 0, block.length, SUPER_AT);
    return block.readUInt16LE(STATE_AT) === IN_ORDER && (block.readUInt32LE(FEATURES_AT) & RECOVER) === 0;
  } finally {
    await handle.close();
  }
}

/** Major number of loop devices (kernel, admin-guide/devices). */
const LOOP_MAJOR = 7;
const MINOR_BITS = 8;
const MINOR_MASK = 0xff;

/**
 * Name of the loop device that a folder is mounted from.
 * @throws Error when it is not mounted from that file
 */
export async function loopOf(place: string, file: string): Promise<string> {
  const { dev } = await lstat(place);
  // As st_dev has them up to 255; the kernel numbers further loop devices beyond it (makedev(3)).
  const minor = (dev & MINOR_MASK) + ((dev >> (2 * MINOR_BITS + 4)) << MINOR_BITS);
  if (((dev >> MINOR_BITS) & 0xfff) !== LOOP_MAJOR) throw new Error(`${place} is not mounted`);
  const device = `/sys/dev/block/${LOOP_MAJOR}:${minor}`;
  const from = (await readFile(join(device, 'loop', 'backing_file'), 'utf8')).trim();
  if (basename(from) !== basename(file)) throw new Error(`${place} is mounted from another file`);
  return basename(await readlink(device));
}

/** Bytes and inodes that are left on a mounted file system, with what is set aside. */
export async function freeOf(place: string): Promise<{ bytes: number; entries: number }> {
  const { bfree, bsize, ffree } = await statfs(place);
  return { bytes: bfree * bsize, entries: ffree };
}

/**
 * Lets no more than this many bytes more be written: the kernel sets the rest aside. Where it takes no order (/sys read-only),
 * the size of the file is the bound.
 */
export async function bound(loop: string | null, bytes: number, place: string): Promise<void> {
  if (loop === null) return;
  const { bfree, bsize } = await statfs(place);
  const setAside = Math.max(0, bfree - Math.ceil(bytes / bsize));
  await writeFile(`/sys/fs/ext4/${loop}/reserved_clusters`, String(setAside)).catch(() => undefined);
}
