import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { AppError } from '../../../errors.ts';
import type { BuildInput } from '../../builder.ts';
import { checkOut } from '../../source/checkout.ts';
import { removeFolder } from '../../process/remove-folder.ts';
import { type BuildRun } from '../../step/step-runner.ts';
import { BuildError } from '../../build-error.ts';
import type { GitSource } from '../needs/dependency.ts';

/** How much of a commit id the log shows. */
const SHORT = 7;

/**
 * Brings the files of a package of git, or of a submodule, to their place: at its tag, branch or commit, without submodules, links and
 * history.
 * @param to a path of the checkout where nothing is yet, or an empty folder; nothing is there after a failure
 * @returns the short commit id, or why it cannot be had
 * @throws the reason of the run's signal
 */
export async function fetchGitPackage(
  run: Pick<BuildRun, 'folders' | 'signal'>,
  { outsideGit }: Pick<BuildInput, 'outsideGit'>,
  { url, ref, commit }: GitSource,
  to: string,
): Promise<{ readonly commit: string } | { readonly failure: string }> {
  const { source, root } = run.folders;
  const gitDir = join(root, `package-${randomUUID()}.git`);
  try {
    const id = await outsideGit.fetchRevision(outsideGit.allowed(url), { ref, commit }, gitDir, run.signal);
    await checkOut({ folder: source, path: to }, { gitDir }, 'main', run.signal);
    return { commit: id.slice(0, SHORT) };
  } catch (error) {
    run.signal.throwIfAborted();
    if (!(error instanceof AppError || error instanceof BuildError)) throw error;
    await source.remove(to);
    return { failure: error.message };
  } finally {
    await removeFolder(gitDir);
  }
}
