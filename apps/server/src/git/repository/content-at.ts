import type { RepositoryContent } from '@cannery/contract';
import { notFound } from '../../errors.ts';
import { branchesOf } from './read-refs.ts';
import { blobOf, commitsOf, type TreeEntry, treeOf } from './read-repository.ts';
import type { BareRepository } from './repository-folder.ts';

/** Files listed on one page; the whole repository is a clone away. */
const FILES_SHOWN = 500;
const COMMITS_SHOWN = 10;
/** Files and folders of the first level among which the README is looked for. */
const TOP_READ = 2_000;
/** Bytes of a README that is shown. */
const README_LIMIT = 256 * 1024;

/** What a page of a repository shows; its address for clones is the console's. */
export type ShownContent = Omit<RepositoryContent, 'clone_url'>;

/**
 * What a repository has at a branch, or at its default one.
 * @throws AppError not_found for a branch that it does not have
 */
export async function contentAt(
  { owner, name, gitDir }: BareRepository,
  asked: string | undefined,
): Promise<ShownContent> {
  const branches = await branchesOf(gitDir);
  const branch = asked ?? branches[0];
  if (branch !== undefined && !branches.includes(branch)) throw notFound('Branch');
  const commits = branch === undefined ? [] : await commitsOf(gitDir, branch, COMMITS_SHOWN);
  const commit = commits[0]?.id;
  const files =
    commit === undefined ? [] : await treeOf(gitDir, commit, { recursive: true, most: FILES_SHOWN + 1 });
  const top = commit === undefined ? [] : await treeOf(gitDir, commit, { recursive: false, most: TOP_READ });
  return {
    owner,
    name,
    branches,
    branch: branch ?? null,
    files: files.slice(0, FILES_SHOWN).map(({ path, kind, size }) => ({ path, kind, size })),
    more_files: files.length > FILES_SHOWN,
    readme: await readmeOf(gitDir, top),
    commits: commits.map(({ date, ...shown }) => ({ ...shown, date: date.toISOString() })),
  };
}

async function readmeOf(gitDir: string, files: readonly TreeEntry[]): Promise<string | null> {
  const file = files.find(({ path, kind }) => kind === 'file' && /^readme(?:\.(?:md|txt|rst))?$/i.test(path));
  if (file === undefined || file.size > README_LIMIT) return null;
  return (await blobOf(gitDir, file.objectId, README_LIMIT)).toString('utf8');
}
