import { lstat, readFile, readlink, statfs, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';

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
