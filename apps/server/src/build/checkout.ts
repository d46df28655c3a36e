import { chmod, mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { CloneSource } from '../git/git-host.ts';
import { isBranchName } from '../git/names.ts';
import { branchesOf } from '../git/read-refs.ts';
import { type Commit, commitsOf } from '../git/read-repository.ts';
import { GitError, runGit } from '../git/run-git.ts';
import type { BuildFolders } from './sandbox.ts';
import { BuildError } from './step-runner.ts';
import { checkTree, type TreeSummary } from './tree-check.ts';

export interface Checkout extends TreeSummary {
  readonly commit: Commit;
}

const TIME_LIMIT_MS = 5 * 60 * 1000;

/** Where the folders of a build are, below `parent`. */
export function foldersOf(parent: string, id: string): BuildFolders {
  const root = join(parent, id);
  return { root, source: join(root, 'source'), home: join(root, 'home') };
}

/** Makes the folders of a build below `parent`, readable by nobody else. */
export async function makeFolders(parent: string, id: string): Promise<BuildFolders> {
  const folders = foldersOf(parent, id);
  const { root } = folders;
  await rm(root, { recursive: true, force: true });
  await mkdir(folders.source, { recursive: true });
  await mkdir(folders.home);
  await chmod(root, 0o700);
  return folders;
}

/**
 * Writes the newest commit of a branch into the source folder, straight from the bare repository: no clone, no hook,
 * no filter, no link, no submodule, no `.git`.
 * @throws BuildError when there is no such branch, or the commit cannot be read or is too large
 */
export async function checkOut(
  folders: BuildFolders,
  source: CloneSource,
  branch: string,
  signal: AbortSignal,
): Promise<Checkout> {
  const { gitDir } = source;
  const [commit] = isBranchName(branch) ? await commitsOf(gitDir, branch, 1).catch(refuse) : [];
  if (commit === undefined) {
    const others = (await branchesOf(gitDir)).slice(0, 10);
    throw new BuildError(
      others.length === 0
        ? 'The repository is empty. Push a commit, then deploy again.'
        : `The branch '${branch}' does not exist. Branches of the repository: ${others.join(', ')}.`,
    );
  }
  const summary = await checkTree(gitDir, commit.id, signal);
  const env = { GIT_INDEX_FILE: join(folders.root, 'index') };
  const place = ['--git-dir', gitDir, '--work-tree', folders.source];
  const options = { env, signal, timeoutMs: TIME_LIMIT_MS };
  try {
    await runGit([...place, 'read-tree', commit.id], options);
    await runGit(['-C', folders.source, ...place, 'checkout-index', '--all', '--force', '--quiet'], options);
  } catch (error) {
    return refuse(error);
  } finally {
    await rm(env.GIT_INDEX_FILE, { force: true });
  }
  return { commit, ...summary };
}

function refuse(error: unknown): never {
  if (!(error instanceof GitError)) throw error;
  const reason = error.output.trim().split('\n')[0] ?? '';
  throw new BuildError(`Git could not check the commit out: ${reason === '' ? error.message : reason}.`, {
    cause: error,
  });
}
