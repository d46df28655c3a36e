import type { CloneSource } from '../../git/repository/git-host.ts';
import { branchesOf, newestOf } from '../../git/repository/read-refs.ts';
import { type Commit, commitOf } from '../../git/repository/read-repository.ts';
import { GitError } from '../../git/repository/run-git.ts';
import { streamBlobs } from '../../git/repository/stream-blobs.ts';
import { BuildError } from '../build-error.ts';
import type { Pointer, TenantFile } from '../tenant/tenant-folder.ts';
import { checkTree, type TreeSummary } from './tree-check.ts';

export interface Checkout extends TreeSummary {
  readonly commit: Commit;
  /** Files that are pointers of Git LFS; `fillPointers` puts their content in their place. */
  readonly pointers: readonly Pointer[];
}

/**
 * Writes the newest commit of a branch into a folder of a build, straight from the bare repository: no clone, no hook, no
 * filter, no link (they come when all is written, see `layLinks`), no submodule, no `.git`. The files are as they were committed.
 * @throws BuildError when there is no such branch, or the commit cannot be read or is too large
 */
export async function checkOut(
  { folder, path }: TenantFile,
  { gitDir }: CloneSource,
  branch: string,
  signal: AbortSignal,
): Promise<Checkout> {
  const id = await newestOf(gitDir, branch);
  if (id === null) {
    const others = (await branchesOf(gitDir)).slice(0, 10);
    throw new BuildError(
      others.length === 0
        ? 'The repository is empty. Push a commit, then deploy again.'
        : `The branch '${branch}' does not exist. Branches of the repository: ${others.join(', ')}.`,
    );
  }
  return checkOutCommit({ folder, path }, { gitDir }, id, signal);
}

/**
 * Writes a commit into a folder of a build, as `checkOut` does.
 * @param id the whole id of the commit
 * @throws BuildError when the repository has no such commit, or it cannot be read or is too large
 */
export async function checkOutCommit(
  { folder, path }: TenantFile,
  { gitDir, bring }: CloneSource,
  id: string,
  signal: AbortSignal,
): Promise<Checkout> {
  await bring?.(id);
  const [commit, { entries, ...summary }] = await Promise.all([
    commitOf(gitDir, id).catch(refuse),
    checkTree(gitDir, id, signal),
  ]);
  const ids = entries.filter(({ kind }) => kind !== 'folder').map(({ objectId }) => objectId);
  const { blocked, pointers } = await folder
    .checkOut(path, entries, streamBlobs(gitDir, ids, signal))
    .catch(refuse);
  if (blocked !== null)
    throw new BuildError(
      `Git could not check the commit out: error: invalid path '${blocked.slice(0, 200)}'.`,
    );
  return { commit, pointers, ...summary };
}

function refuse(error: unknown): never {
  if (!(error instanceof GitError)) throw error;
  const reason = error.output.trim().split('\n')[0] ?? '';
  throw new BuildError(`Git could not check the commit out: ${reason === '' ? error.message : reason}.`, {
    cause: error,
  });
}
