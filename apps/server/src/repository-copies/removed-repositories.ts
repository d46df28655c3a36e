import { mkdir, open, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { syncFolder } from '../data-dir/sync-folder.ts';

/** Folder among those of owners, whose names never begin so. It is there once repositories have been copied from here. */
const FOLDER = '.cannery-copies';
const GONE = /^gone-([0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12})$/;
const DRAFT = 'draft-';

/** Makes the folder of what copies need beside the repositories, without what a killed process has left in it. */
export async function openCopiesFolder(root: string): Promise<string> {
  const folder = join(root, FOLDER);
  await mkdir(folder, { recursive: true, mode: 0o700 });
  for (const name of await readdir(folder)) if (name.startsWith(DRAFT)) await rm(join(folder, name));
  return folder;
}

/**
 * Writes down that a repository is being removed, so that its copy goes as well: that it is missing on the disk would not say so,
 * since a disk may be lost. Durable when the promise resolves. Nothing where nothing was ever copied.
 */
export async function noteRemoved(root: string, id: string): Promise<void> {
  const folder = join(root, FOLDER);
  try {
    await (await open(join(folder, `gone-${id}`), 'w', 0o600)).close();
    await syncFolder(folder);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
  }
}

/** Ids of repositories that were removed and whose copies may still be there. */
export async function removedIds(root: string): Promise<string[]> {
  const names = await readdir(join(root, FOLDER));
  return names.flatMap((name) => GONE.exec(name)?.[1] ?? []);
}

/** The copy of a removed repository is gone. */
export async function forgetRemoved(root: string, id: string): Promise<void> {
  await rm(join(root, FOLDER, `gone-${id}`), { force: true });
}
