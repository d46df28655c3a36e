import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { link, readdir, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { syncFolder } from './sync-folder.ts';

/**
 * Makes a file that is written once, for the server's user alone. Nobody sees a part of it: a process that is killed or has no room left
 * meanwhile leaves no file, and of several processes one makes it.
 * @param options.lasting whether it has to be there after the machine has stopped
 * @returns false where there is one already
 */
export async function makeOnce(
  path: string,
  content: string,
  { lasting = true }: { lasting?: boolean } = {},
): Promise<boolean> {
  // Each start asks for it, and nearly all find it.
  if (existsSync(path)) return false;
  const draft = `${path}.draft-${randomUUID()}`;
  try {
    await writeFile(draft, content, { flag: 'wx', mode: 0o600, flush: lasting });
    await link(draft, path);
    if (lasting) await syncFolder(dirname(path));
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  } finally {
    await rm(draft, { force: true });
  }
}

const DRAFT = /\.draft-[0-9a-f-]{36}$/;

/**
 * Removes what a process that was killed while it made a file has left in a folder, which may be a second name of a secret that is replaced
 * later. To be called by who has the folder alone.
 */
export async function clearDrafts(folder: string): Promise<void> {
  for (const name of await readdir(folder))
    if (DRAFT.test(name)) await rm(join(folder, name), { force: true });
}
