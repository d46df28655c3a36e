import { randomUUID } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { makeOnce } from '../../data-dir/make-once.ts';

/** The file of a bare repository that holds its id. git knows nothing of it, and serves no file by its name here. */
const FILE = 'cannery-id';

const isMissing = (error: unknown): boolean => (error as NodeJS.ErrnoException).code === 'ENOENT';

/** Gives a repository that is being made an id, which no other repository has had. */
export async function writeId(gitDir: string): Promise<void> {
  await writeFile(join(gitDir, FILE), randomUUID(), { flag: 'wx', flush: true });
}

/**
 * The id of a repository, which stays when it is renamed and which no other one gets, whatever its name. A repository of
 * before there were ids gets one.
 * @throws Error with the code ENOENT for a repository that is gone
 */
export async function idOf(gitDir: string): Promise<string> {
  const file = join(gitDir, FILE);
  try {
    return await readFile(file, 'utf8');
  } catch (error) {
    if (!isMissing(error)) throw error;
  }
  // Of several that find none at once, the first decides for all.
  await makeOnce(file, randomUUID());
  return readFile(file, 'utf8');
}

/** As {@link idOf}; null for a repository that is gone. */
export async function idIfThere(gitDir: string): Promise<string | null> {
  return idOf(gitDir).catch((error: unknown) => {
    if (isMissing(error)) return null;
    throw error;
  });
}
