import { isObjectId } from './names.ts';
import { GitError, gitText } from './run-git.ts';

/** Bytes of a message that are read. No known project writes a longer one. */
const MESSAGE_LIMIT = 64 * 1024;
/** Milliseconds for git to read one commit. */
const PATIENCE_MS = 10_000;

/**
 * The whole message of a commit.
 * @returns null for one that is longer than 64 KiB, or that git cannot read
 * @throws RangeError for what is no commit id
 */
export async function messageOfCommit(gitDir: string, id: string): Promise<string | null> {
  if (!isObjectId(id)) throw new RangeError('This is not a commit id.');
  const args = ['log', '--max-count=1', '--no-show-signature', '--format=%B', '--end-of-options', id, '--'];
  try {
    return await gitText(['--git-dir', gitDir, ...args], { maxBytes: MESSAGE_LIMIT, timeoutMs: PATIENCE_MS });
  } catch (error) {
    if (error instanceof GitError) return null;
    throw error;
  }
}
