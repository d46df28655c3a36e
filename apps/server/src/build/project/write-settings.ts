import { isUtf8 } from 'node:buffer';
import { mkdir } from 'node:fs/promises';
import { listTree } from '../../git/list-tree.ts';
import { GitError, runGit } from '../../git/run-git.ts';
import { ProjectFileError } from '../motoko/project-file-error.ts';

/** Most entries of a tree that are looked at, most files that are written, and bytes of those together. */
const ENTRY_LIMIT = 100_000;
const FILE_LIMIT = 5_000;
const SIZE_LIMIT = 64 * 1024 ** 2;
/** Most bytes of one file: of sources and settings, as their readers have it, and of others, such as arguments. */
const SOURCE_SIZE = 4 * 1024 ** 2;
const OTHER_SIZE = 16 * 1024;
const SOURCES = /\.(?:mo|json|ya?ml|toml|dhall)$/;
/** Bytes of a path, and folders in one another. */
const PATH_LIMIT = 1_000;
const DEPTH_LIMIT = 50;
/** Folders in which no project keeps its settings, and what git would read itself. */
const SKIPPED = /(?:^|\/)(?:\.git|node_modules|\.dfx|\.icp|\.vessel|dist|target)\/|(?:^|\/)\.git/i;

/** Plain files; links are not followed, so they are not needed. */
const FILE_MODE = /^100(?:644|755)$/;

/**
 * Writes those files of a commit into a folder that may say what a project consists of: a small part of a checkout, quick and
 * within bounds. Nothing of the rest of the tree is read but its names.
 * @param from.root folder of the project in the repository; its files are written as if it were the repository
 * @throws ProjectFileError when the tree is beyond the bounds, the signal's reason
 */
export async function writeSettings(
  from: { gitDir: string; commit: string; root: string; folder: string },
  signal: AbortSignal,
): Promise<void> {
  const { gitDir, folder } = from;
  await mkdir(folder, { recursive: true });
  const index = `${folder}.index`;
  const options = { env: { GIT_INDEX_FILE: index }, signal };
  const place = ['--git-dir', gitDir, '--work-tree', folder];
  try {
    const input = await indexOf(from, signal);
    await runGit([...place, 'update-index', '-z', '--index-info'], { ...options, input });
    await runGit(['-C', folder, ...place, 'checkout-index', '--all', '--force', '--quiet'], options);
  } catch (error) {
    if (!(error instanceof GitError)) throw error;
    throw new ProjectFileError('Git could not read the settings of the project.', { cause: error });
  }
}

/** The chosen files, as `git update-index` takes them. */
async function indexOf(
  { gitDir, commit, root }: { gitDir: string; commit: string; root: string },
  signal: AbortSignal,
): Promise<string> {
  const above = root === '' ? '' : `${root}/`;
  const lines: string[] = [];
  let entries = 0;
  let bytes = 0;
  for await (const entry of listTree(gitDir, commit, { recursive: true, signal })) {
    entries += 1;
    if (entries > ENTRY_LIMIT) throw tooLarge(`more than ${ENTRY_LIMIT} files and folders`);
    const path = chosenPath(entry.path, above);
    if (path === null || !FILE_MODE.test(entry.mode)) continue;
    if (entry.size > (SOURCES.test(path) ? SOURCE_SIZE : OTHER_SIZE)) continue;
    lines.push(`${entry.mode} ${entry.objectId}\t${path}\0`);
    bytes += entry.size;
    if (lines.length > FILE_LIMIT) throw tooLarge(`more than ${FILE_LIMIT} small files`);
    if (bytes > SIZE_LIMIT) throw tooLarge(`sources of more than ${SIZE_LIMIT / 1024 ** 2} MB`);
  }
  return lines.join('');
}

/** The path as seen from the project; null for one that is not of it. */
function chosenPath(bytes: Buffer, above: string): string | null {
  if (bytes.length > PATH_LIMIT || !isUtf8(bytes)) return null;
  const path = bytes.toString('utf8');
  if (!path.startsWith(above) || SKIPPED.test(path) || path.split('/').length > DEPTH_LIMIT) return null;
  return path.slice(above.length);
}

function tooLarge(what: string): ProjectFileError {
  return new ProjectFileError(
    `The repository has ${what}, so its canisters are seen only when it is deployed.`,
  );
}
