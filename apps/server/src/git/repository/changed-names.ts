import { isObjectId } from './names.ts';
import { GitError, gitText } from './run-git.ts';

/** Bytes of names that are read: some thousand. */
const NAMES_LIMIT = 256 * 1024;
/** Milliseconds for git to compare two commits. */
const PATIENCE_MS = 10_000;

/** How a file differs, by the letter that git writes for it; every other letter is a change. */
const changes: ReadonlyMap<string, ChangedFile['change']> = new Map([
  ['A', 'added'],
  ['D', 'removed'],
]);

/** A file that differs between two commits. */
export interface ChangedFile {
  readonly path: string;
  readonly change: 'added' | 'changed' | 'removed';
}

/**
 * Files that differ between two commits, and how.
 * @returns null as `changedNames` does
 * @throws RangeError for what is no commit id
 */
export async function changedFiles(gitDir: string, from: string, to: string): Promise<ChangedFile[] | null> {
  const fields = await differing(gitDir, '--name-status', from, to);
  if (fields === null) return null;
  return Array.from({ length: Math.floor(fields.length / 2) }, (_, place) => ({
    path: fields[2 * place + 1] ?? '',
    change: changes.get(fields[2 * place] ?? '') ?? 'changed',
  }));
}

/**
 * Paths of the files that differ between two commits.
 * @returns null when there are more than 256 KiB of them, or git cannot tell, such as for a commit that is gone
 * @throws RangeError for what is no commit id
 */
export function changedNames(gitDir: string, from: string, to: string): Promise<string[] | null> {
  return differing(gitDir, '--name-only', from, to);
}

async function differing(
  gitDir: string,
  what: '--name-only' | '--name-status',
  from: string,
  to: string,
): Promise<string[] | null> {
  if (!isObjectId(from) || !isObjectId(to)) throw new RangeError('This is not a commit id.');
  const names = ['-r', '-z', what, '--no-renames', '--no-ext-diff', '--ignore-submodules=none'];
  const args = ['diff-tree', ...names, '--end-of-options', from, to, '--'];
  try {
    const text = await gitText(['--git-dir', gitDir, ...args], {
      maxBytes: NAMES_LIMIT,
      timeoutMs: PATIENCE_MS,
    });
    return text.split('\0').filter((name) => name !== '');
  } catch (error) {
    if (error instanceof GitError) return null;
    throw error;
  }
}
