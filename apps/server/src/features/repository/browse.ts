import type { RepositoryAccount, RepositoryContent } from '@cannery/contract';
import type { Actor, AppContext } from '../../context.ts';
import { notFound } from '../../errors.ts';
import { ownerOf } from '../../git/repository/names.ts';
import { branchesOf } from '../../git/repository/read-refs.ts';
import { blobOf, commitsOf, type TreeEntry, treeOf } from '../../git/repository/read-repository.ts';
import { type OwnRepository, readOwn } from './read-own.ts';

/** Files listed on one page; the whole repository is a clone away. */
const FILES_SHOWN = 500;
const COMMITS_SHOWN = 10;
/** Files and folders of the first level among which the README is looked for. */
const TOP_READ = 2_000;
/** Bytes of a README that is shown. */
const README_LIMIT = 256 * 1024;

/**
 * The user's own account at the embedded git host.
 * @throws AppError not_found for another owner
 */
export async function readAccount(
  ctx: AppContext,
  user: Actor,
  asked: { owner?: string | undefined },
): Promise<RepositoryAccount> {
  const owner = ownerOf(user);
  if (asked.owner !== undefined && asked.owner.toLowerCase() !== owner.toLowerCase())
    throw notFound('Account');
  return {
    owner,
    username: user.username,
    push_url_pattern: `${ctx.addresses.publicUrl}/${encodeURIComponent(owner)}/{repo}.git`,
    repositories: await ctx.git.listRepositories(user),
  };
}

/**
 * What a repository of the user has at a branch, or at its default one.
 * @throws AppError not_found for a repository that is not the user's, and for a branch that it does not have
 */
export async function readContent(
  ctx: AppContext,
  user: Actor,
  asked: { owner: string; repo: string; branch?: string | undefined },
): Promise<RepositoryContent> {
  const find = () => ctx.git.readable(asked.owner, asked.repo.replace(/\.git$/, ''), user);
  return readOwn(find, (repository) => contentOf(ctx, repository, asked.branch));
}

async function contentOf(
  ctx: AppContext,
  { owner, name, gitDir }: OwnRepository,
  asked: string | undefined,
): Promise<RepositoryContent> {
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
    clone_url: `${ctx.addresses.publicUrl}/${encodeURIComponent(owner)}/${encodeURIComponent(name)}.git`,
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
