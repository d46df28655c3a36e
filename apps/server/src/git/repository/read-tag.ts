import { isBranchName, isObjectId } from './names.ts';
import { GitError, gitText } from './run-git.ts';

/** Milliseconds for git to follow a tag. */
const PATIENCE_MS = 10_000;

/** What a tag names. */
export interface Tag {
  /** The object that its ref names: a commit, or an object with a message that leads to one. */
  readonly target: string;
  readonly commit: string;
}

/** A tag of a repository; null when there is none of that name, or when it leads to no commit. */
export async function tagOf(gitDir: string, name: string): Promise<Tag | null> {
  // Tags and branches have the same rules for names.
  if (!isBranchName(name)) return null;
  const ref = `refs/tags/${name}`;
  try {
    const text = await gitText(['--git-dir', gitDir, 'rev-parse', ref, `${ref}^{commit}`], {
      maxBytes: 1024,
      timeoutMs: PATIENCE_MS,
    });
    const [target = '', commit = ''] = text.split('\n');
    return isObjectId(target) && isObjectId(commit) ? { target, commit } : null;
  } catch (error) {
    if (error instanceof GitError) return null;
    throw error;
  }
}
