import { posix } from 'node:path';
import type { ListedFile, ProjectFiles } from '../tenant/project-files.ts';
import { ProjectFileError } from './project-file-error.ts';

/** Bytes of one settings file; the longest seen in public repositories has 40 kB. */
const SETTINGS_LIMIT = 256 * 1024;
/** Files looked at in one checkout. */
export const ENTRIES_LIMIT = 20_000;

/** Folders that hold no source of the project itself. */
export const SKIPPED: readonly string[] = [
  '.git',
  'node_modules',
  '.dfx',
  '.icp',
  '.vessel',
  'dist',
  'target',
];

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

/** Text of a plain file of the project; null when there is none. @throws ProjectFileError when it is too large */
export async function readProjectFile(
  root: ProjectFiles,
  path: string,
  limit = SETTINGS_LIMIT,
): Promise<string | null> {
  const found = await root.textOf(path, limit);
  if (found.kind === 'large') throw new ProjectFileError(`${path} is larger than ${limit / 1024} kB.`);
  return found.kind === 'file' ? found.text : null;
}

/** All files with one of the endings, sorted by path; links are never followed. @throws ProjectFileError for too many */
export async function listSizes(
  root: ProjectFiles,
  endings: readonly string[],
  within = '',
): Promise<ListedFile[]> {
  const files = await root.list(endings, { within, skipped: SKIPPED, most: ENTRIES_LIMIT });
  if (files === null) throw new ProjectFileError(`The repository has more than ${ENTRIES_LIMIT} files.`);
  return files;
}

/** Paths of all files with one of the endings, sorted. @throws ProjectFileError for too many */
export async function listFiles(
  root: ProjectFiles,
  endings: readonly string[],
  within = '',
): Promise<string[]> {
  return (await listSizes(root, endings, within)).map(({ path }) => path);
}
