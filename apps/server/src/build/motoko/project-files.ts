import { lstat, readdir, readFile } from 'node:fs/promises';
import { join, posix } from 'node:path';
import { ProjectFileError } from './project-file-error.ts';

/** Bytes of one settings file; the longest seen in public repositories has 40 kB. */
const SETTINGS_LIMIT = 256 * 1024;
/** Files looked at in one checkout. */
const COUNT_LIMIT = 20_000;

/** Folders that hold no source of the project itself. */
const SKIPPED = new Set(['.git', 'node_modules', '.dfx', '.icp', '.vessel', 'dist', 'target']);

/** How the message ends about a path that leads out of the checkout; threads hand on nothing but messages. */
export const OUTSIDE = ', which is outside the repository.';

/**
 * A path inside the checkout, in posix form without './'.
 * @throws ProjectFileError when it leads out of the checkout.
 */
export function projectPath(file: string, ...parts: string[]): string {
  const path = posix.normalize(posix.join(...parts.map((part) => part.replaceAll('\\', '/'))));
  if (parts.some((part) => posix.isAbsolute(part)) || path === '..' || path.startsWith('../')) {
    throw new ProjectFileError(`${file} names ${parts.at(-1)}${OUTSIDE}`);
  }
  return path;
}

/** Text of a plain file of the checkout; null when there is none. @throws ProjectFileError when it is too large. */
export async function readProjectFile(
  root: string,
  path: string,
  limit = SETTINGS_LIMIT,
): Promise<string | null> {
  const found = await lstat(join(root, path)).catch(() => null);
  if (!found?.isFile()) return null;
  if (found.size > limit) throw new ProjectFileError(`${path} is larger than ${limit / 1024} kB.`);
  return readFile(join(root, path), 'utf8');
}

/** Paths of all files with one of the endings, sorted; links are never followed. */
export async function listFiles(root: string, endings: readonly string[], within = ''): Promise<string[]> {
  const found: string[] = [];
  const pending = [within];
  let seen = 0;
  for (let folder = pending.pop(); folder !== undefined; folder = pending.pop()) {
    for (const entry of await readdir(join(root, folder), { withFileTypes: true }).catch(() => [])) {
      const path = posix.join(folder, entry.name);
      seen += 1;
      if (seen > COUNT_LIMIT)
        throw new ProjectFileError(`The repository has more than ${COUNT_LIMIT} files.`);
      if (entry.isDirectory() && !SKIPPED.has(entry.name)) pending.push(path);
      if (entry.isFile() && endings.some((ending) => entry.name.endsWith(ending))) found.push(path);
    }
  }
  return found.sort();
}
