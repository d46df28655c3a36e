import { isUtf8 } from 'node:buffer';
import { listTree } from '../../git/repository/list-tree.ts';
import { GitError } from '../../git/repository/run-git.ts';
import { streamBlobs } from '../../git/repository/stream-blobs.ts';
import { ProjectFileError } from '../source/project-file-error.ts';
import { type ProjectFiles, textFiles } from '../tenant/project-files.ts';

/** Most entries of a tree that are looked at, most files that are read, and bytes of those together. */
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
 * Those files of a commit that may say what a project consists of: a small part of a checkout, quick and within bounds. Nothing of
 * the rest of the tree is read but its names, and nothing is written.
 * @param from.root folder of the project in the repository; its files are seen as if it were the repository
 * @throws ProjectFileError when the tree is beyond the bounds, the signal's reason
 */
export async function readSettings(
  from: { gitDir: string; commit: string; root: string },
  signal: AbortSignal,
): Promise<ProjectFiles> {
  try {
    const chosen = await chosenEntries(from, signal);
    const ids = chosen.map(({ objectId }) => objectId);
    const pieces: Buffer[] = [];
    for await (const piece of streamBlobs(from.gitDir, ids, signal)) pieces.push(piece);
    return textFiles(contentsIn(Buffer.concat(pieces), chosen));
  } catch (error) {
    if (!(error instanceof GitError)) throw error;
    throw new ProjectFileError('Git could not read the settings of the project.', { cause: error });
  }
}

interface ChosenEntry {
  readonly path: string;
  readonly size: number;
  readonly objectId: string;
}

async function chosenEntries(
  { gitDir, commit, root }: { gitDir: string; commit: string; root: string },
  signal: AbortSignal,
): Promise<ChosenEntry[]> {
  const above = root === '' ? '' : `${root}/`;
  const chosen: ChosenEntry[] = [];
  let entries = 0;
  let bytes = 0;
  for await (const { mode, path: name, size, objectId } of listTree(gitDir, commit, {
    recursive: true,
    signal,
  })) {
    entries += 1;
    if (entries > ENTRY_LIMIT) throw tooLarge(`more than ${ENTRY_LIMIT} files and folders`);
    const path = chosenPath(name, above);
    if (path === null || !FILE_MODE.test(mode)) continue;
    if (size > (SOURCES.test(path) ? SOURCE_SIZE : OTHER_SIZE)) continue;
    chosen.push({ path, size, objectId });
    bytes += size;
    if (chosen.length > FILE_LIMIT) throw tooLarge(`more than ${FILE_LIMIT} small files`);
    if (bytes > SIZE_LIMIT) throw tooLarge(`sources of more than ${SIZE_LIMIT / 1024 ** 2} MB`);
  }
  return chosen;
}

/** The contents in what git gave: each behind a line that names it. @throws GitError when it gave something else */
function contentsIn(given: Buffer, chosen: readonly ChosenEntry[]): Map<string, Uint8Array> {
  const contents = new Map<string, Uint8Array>();
  let at = 0;
  for (const { path, size, objectId } of chosen) {
    const line = `${objectId} blob ${size}\n`;
    if (given.toString('latin1', at, at + line.length) !== line)
      throw new GitError('git gave another object');
    contents.set(path, given.subarray(at + line.length, at + line.length + size));
    at += line.length + size + 1;
  }
  return contents;
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
