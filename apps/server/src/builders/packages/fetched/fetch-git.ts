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
): Promise<Placed> {
  const { source, root } = run.folders;
  const gitDir = join(root, `package-${randomUUID()}.git`);
  return place(run, to, async () => {
    try {
      const id = await outsideGit.fetchRevision(outsideGit.allowed(url), { ref, commit }, gitDir, run.signal);
      await checkOut({ folder: source, path: to }, { gitDir }, 'main', run.signal);
      return id;
    } finally {
      await removeFolder(gitDir);
    }
  });
}

/** The short id of a commit whose files are in their place, or why they cannot be had. */
export type Placed = { readonly commit: string } | { readonly failure: string };

/**
 * Brings the files of a commit to their place; nothing is there after a failure.
 * @param bring does so, and answers the whole id of the commit
 * @throws the reason of the run's signal
 */
export async function place(
  { folders, signal }: Pick<BuildRun, 'folders' | 'signal'>,
  to: string,
  bring: () => Promise<string>,
): Promise<Placed> {
  try {
    return { commit: (await bring()).slice(0, SHORT) };
  } catch (error) {
    signal.throwIfAborted();
    if (!(error instanceof AppError || error instanceof BuildError)) throw error;
    await folders.source.remove(to);
    return { failure: error.message };
  }
}
