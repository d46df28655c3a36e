import { isUtf8 } from 'node:buffer';
import { FOLDER_MODE, listTree } from '../../git/repository/list-tree.ts';
import { GitError } from '../../git/repository/run-git.ts';
import { BuildError } from '../build-error.ts';
import type { CommittedEntry } from '../tenant/tenant-folder.ts';

/** Characters that some file systems leave out of a name (git, utf8.c: `next_hfs_char`). */
const IGNORED = /[\u200c-\u200f\u202a-\u202e\u206a-\u206f\ufeff]/g;
const SYMBOLIC_LINK = '120000';

/**
 * Whether git would refuse a name in a path of a commit, since it, or a name that some file system takes for it, is of git
 * itself (git, read-cache.c: `verify_path`).
 * @param mode of the entry; a link may not have the name of a file that git reads
 */
function isGitName(name: string, mode: string): boolean {
  if (name === '' || name === '.' || name === '..') return true;
  return name.split('\\').some((part) => {
    // Streams of NTFS, and dots and spaces that it leaves out.
    const plain = part
      .replace(/:.*$/s, '')
      .replace(/[. ]+$/, '')
      .replaceAll(IGNORED, '')
      .toLowerCase();
    if (plain === '.git' || plain === 'git~1') return true;
    return mode === SYMBOLIC_LINK && (plain === '.gitmodules' || /^gi(?:tmod|7eba)~\d$/.test(plain));
  });
}

/** Most submodules that are fetched; the most seen in a project of canisters are four. */
export const SUBMODULES_LIMIT = 20;

/** A submodule of a commit. */
export interface Submodule {
  /** Where it belongs, relative to the checkout. */
  readonly path: string;
  /** Id of the commit that is wanted. */
  readonly commit: string;
}

/** What a commit holds. */
export interface TreeSummary {
  readonly files: number;
  readonly bytes: number;
  /** Paths that are links in the repository, as many as are known. */
  readonly links: readonly string[];
  /** Some of the submodules. */
  readonly submodules: readonly Submodule[];
}

/** A commit whose files can be written. */
export interface CheckedTree extends TreeSummary {
  /** Everything but folders that have something in them. */
  readonly entries: readonly CommittedEntry[];
}

/** Most files and folders of a checkout, and most bytes. */
const ENTRY_LIMIT = 100_000;
export const SIZE_LIMIT = 2 * 1024 ** 3;
/** Folders in one another; bytes of a path, which must fit PATH_MAX (4,096) behind the folder of the build; of a name. */
const DEPTH_LIMIT = 100;
const PATH_LIMIT = 3_000;
const NAME_LIMIT = 255;
/** Bytes of all paths together: they are in memory while the files are written. */
const PATHS_LIMIT = 32 * 1024 ** 2;
/** How many links are known, and bytes of a path in a message. */
const KNOWN = 1_000;
const PATH_SHOWN = 200;
const SLASH = 47;
/** How entries are written, by their modes; a link is a file with the path in it until `layLinks` makes it one. */
const KINDS: Readonly<Record<string, CommittedEntry['kind']>> = { '100755': 'program', '160000': 'folder' };

/**
 * Walks the tree of a commit without writing anything, and stops at the first limit.
 * @throws BuildError that names the limit, or the path that cannot be written
 */
export async function checkTree(gitDir: string, commit: string, signal: AbortSignal): Promise<CheckedTree> {
  const summary = {
    files: 0,
    bytes: 0,
    links: [] as string[],
    submodules: [] as Submodule[],
    entries: [] as CommittedEntry[],
  };
  let entries = 0;
  let pathBytes = 0;
  try {
    for await (const { mode, objectId, size, path: bytes } of listTree(gitDir, commit, {
      recursive: true,
      signal,
    })) {
      entries += 1;
      if (entries > ENTRY_LIMIT) {
        throw new BuildError(
          `The repository has more than ${ENTRY_LIMIT} files and folders. Keep fewer in it.`,
        );
      }
      const path = checkedPath(bytes, mode);
      // Folders are counted only, so that a tree of empty folders has a limit too.
      if (mode === FOLDER_MODE) continue;
      summary.files += 1;
      summary.bytes += size;
      if (summary.bytes > SIZE_LIMIT) {
        throw new BuildError(
          `The files of the repository are larger than ${SIZE_LIMIT / 1024 ** 2} MB together. Keep less in it.`,
        );
      }
      pathBytes += bytes.length;
      if (pathBytes > PATHS_LIMIT)
        throw new BuildError(
          'The paths of the repository are too long together. Keep fewer or shorter ones in it.',
        );
      summary.entries.push({ path, size, objectId, kind: KINDS[mode] ?? 'file' });
      if (mode === SYMBOLIC_LINK && summary.links.length < KNOWN) summary.links.push(path);
      if (mode === '160000' && summary.submodules.length <= SUBMODULES_LIMIT)
        summary.submodules.push({ path, commit: objectId });
    }
  } catch (error) {
    if (!(error instanceof GitError)) throw error;
    throw new BuildError(`Git could not list the files of the commit: ${error.message}. Push it again.`, {
      cause: error,
    });
  }
  return summary;
}

function checkedPath(path: Buffer, mode: string): string {
  const refuse = (problem: string): never => {
    throw new BuildError(`The path ${shown(path)} ${problem}. Rename it, push, and deploy again.`);
  };
  if (path.length > PATH_LIMIT) return refuse(`is longer than ${PATH_LIMIT} bytes`);
  if (!isUtf8(path)) return refuse('is not valid UTF-8');
  let depth = 0;
  let nameStart = 0;
  for (let at = 0; at <= path.length; at += 1) {
    if (at < path.length && path[at] !== SLASH) continue;
    if (at - nameStart > NAME_LIMIT) return refuse(`has a name of more than ${NAME_LIMIT} bytes`);
    nameStart = at + 1;
    depth += 1;
  }
  if (depth > DEPTH_LIMIT) return refuse(`is in more than ${DEPTH_LIMIT} folders`);
  const text = path.toString('utf8');
  if (text.split('/').some((name) => isGitName(name, mode)))
    throw new BuildError(
      `Git could not check the commit out: error: invalid path ${shown(path)}. Rename it, push, and deploy again.`,
    );
  return text;
}

/** A path as a log can show it: bytes that are no plain characters as `\xE9`. */
function shown(path: Buffer): string {
  const text = path
    .subarray(0, PATH_SHOWN)
    .toString('latin1')
    .replaceAll(
      /[^\x20-\x7e]/g,
      (char) => `\\x${char.charCodeAt(0).toString(16).toUpperCase().padStart(2, '0')}`,
    );
  return `'${text}${path.length > PATH_SHOWN ? '…' : ''}'`;
}
