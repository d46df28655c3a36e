import { isObjectId } from './names.ts';
import { GitError, gitText } from './run-git.ts';

/** Bytes of names that are read: some thousand. */
const NAMES_LIMIT = 256 * 1024;
/** Milliseconds for git to compare two commits. */
const PATIENCE_MS = 10_000;

/**
 * Paths of the files that differ between two commits.
 * @returns null when there are more than 256 KiB of them, or git cannot tell, such as for a commit that is gone
 * @throws RangeError for what is no commit id
 */
export async function changedNames(gitDir: string, from: string, to: string): Promise<string[] | null> {
  if (!isObjectId(from) || !isObjectId(to)) throw new RangeError('This is not a commit id.');
  const names = ['-r', '-z', '--name-only', '--no-renames', '--no-ext-diff', '--ignore-submodules=none'];
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
