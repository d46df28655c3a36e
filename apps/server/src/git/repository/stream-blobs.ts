import { startProgram } from '../../starter/start-program.ts';
import { GitError, gitArguments, gitEnvironment } from './run-git.ts';

const TIME_LIMIT_MS = 5 * 60 * 1000;

/**
 * The contents of objects as `git cat-file --batch` gives them: a line `ID blob SIZE`, the content, a line feed. Nothing is kept:
 * git waits while the reader does.
 * @throws GitError when git fails or takes longer than five minutes, or the reason of `signal`
 */
export async function* streamBlobs(
  gitDir: string,
  objectIds: readonly string[],
  signal: AbortSignal,
): AsyncGenerator<Buffer> {
  if (objectIds.length === 0) return;
  const end = AbortSignal.any([AbortSignal.timeout(TIME_LIMIT_MS), signal]);
  const args = ['--git-dir', gitDir, 'cat-file', '--batch', '--buffer'];
  const git = await startProgram('git', gitArguments(...args), gitEnvironment(), { withInput: true }).catch(
    (error: unknown) => {
      throw new GitError(`git cat-file could not be run: ${error instanceof Error ? error.message : error}`);
    },
  );
  end.addEventListener('abort', git.kill, { once: true });
  if (end.aborted) git.kill();
  git.input?.end(objectIds.map((id) => `${id}\n`).join(''));
  try {
    for await (const chunk of git.output as AsyncIterable<Buffer>) yield chunk;
    const { code } = await git.ended;
    signal.throwIfAborted();
    if (end.aborted) throw new GitError(`git cat-file took longer than ${TIME_LIMIT_MS / 1000} s`);
    if (code !== 0) throw new GitError(`git cat-file ended with ${code ?? 'a signal'}`);
  } finally {
    end.removeEventListener('abort', git.kill);
    git.kill();
    git.output.destroy();
  }
}
