import { isObjectId } from './names.ts';
import { readEntry, type ListedEntry } from './list-tree.ts';
import { GitError, runGit } from './run-git.ts';

/** Characters of a path: as many as Linux allows (PATH_MAX). */
const PATH_LIMIT = 4096;
/** Milliseconds for git to find one entry. */
const PATIENCE_MS = 10_000;
/** Bytes of the line of one entry. */
const LINE_LIMIT = 64 * 1024;

/** Whether text may be the path of a file or folder in a commit. */
function isTreePath(path: string): boolean {
  if (path.length > PATH_LIMIT || path.includes('\0')) return false;
  return path.split('/').every((part) => part !== '' && part !== '.' && part !== '..');
}

/**
 * The file or folder at a path of a commit.
 * @returns null when there is none, or when git cannot read the commit
 * @throws RangeError for what is no commit id
 */
export async function entryAt(gitDir: string, commit: string, path: string): Promise<ListedEntry | null> {
  if (!isObjectId(commit)) throw new RangeError('This is not a commit id.');
  if (!isTreePath(path)) return null;
  // The path is a path: nothing in it is a pattern, or magic of git's.
  const env = { GIT_LITERAL_PATHSPECS: '1' };
  const args = ['ls-tree', '-l', '-z', '--end-of-options', commit, path];
  try {
    const line = await runGit(['--git-dir', gitDir, ...args], {
      env,
      timeoutMs: PATIENCE_MS,
      maxBytes: LINE_LIMIT,
    });
    const entry = line.length === 0 ? null : readEntry(line.subarray(0, line.indexOf(0)));
    return entry?.path.toString('utf8') === path ? entry : null;
  } catch (error) {
    if (error instanceof GitError) return null;
    throw error;
  }
}
