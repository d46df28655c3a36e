import type { Dirent } from 'node:fs';
import { readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';

/** Objects of a push that git has neither taken over nor thrown away. */
const INCOMING = 'tmp_objdir-';
/** Packs, indices and loose objects that were being written. */
const HALF_WRITTEN = /^tmp_(?!objdir-)/;
const LOCK = '.lock';
/** Who tidies up, and the names of all refs as they were being packed. */
const AT_THE_TOP: ReadonlySet<string> = new Set(['gc.pid', 'packed-refs.new']);

/**
 * Removes what a git that was killed has left in a bare repository: locks, for which every later push of that branch would be refused,
 * and objects that came and were never taken over. Nobody may be writing to the repository.
 * @throws Error of the disk
 */
export async function clearLeftovers(gitDir: string): Promise<void> {
  const objects = join(gitDir, 'objects');
  await removeIn(gitDir, ({ name }) => name.endsWith(LOCK) || AT_THE_TOP.has(name));
  await clearIncoming(gitDir);
  await removeIn(objects, ({ name }) => HALF_WRITTEN.test(name));
  await removeIn(join(objects, 'pack'), ({ name }) => HALF_WRITTEN.test(name));
  await removeLocks(join(gitDir, 'refs'));
}

/** Removes objects of pushes that were cut off, which count as if they were the repository's. Nobody may be pushing to it. */
export async function clearIncoming(gitDir: string): Promise<void> {
  await removeIn(join(gitDir, 'objects'), ({ name }) => name.startsWith(INCOMING));
}

/** No branch has a name that ends so (git check-ref-format). */
async function removeLocks(folder: string): Promise<void> {
  await removeIn(folder, (entry) => entry.isFile() && entry.name.endsWith(LOCK));
  for (const entry of await entriesOf(folder)) {
    if (entry.isDirectory()) await removeLocks(join(folder, entry.name));
  }
}

async function removeIn(folder: string, isLeft: (entry: Dirent) => boolean): Promise<void> {
  for (const entry of await entriesOf(folder)) {
    if (isLeft(entry)) await rm(join(folder, entry.name), { recursive: true, force: true });
  }
}

async function entriesOf(folder: string): Promise<Dirent[]> {
  try {
    return await readdir(folder, { withFileTypes: true });
  } catch (error) {
    // A repository without packs has no folder of them.
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
    throw error;
  }
}
