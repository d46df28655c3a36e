import { parseRepositoryUrl, type RepositoryAddress } from '@cannery/contract';
import type { Selectable } from 'kysely';
import type { Actor, AppContext } from '../../context.ts';
import type { DeploysTable } from '../../db/tables/deploy-tables.ts';
import { AppError } from '../../errors.ts';
import {
  type AskedRepository,
  type CloneSource,
  type Lend,
  repositoryDeleted,
} from '../../git/repository/git-host.ts';
import {
  fetchFromGitHub,
  gitHubBranches,
  type GitHubName,
  openGitHubRepository,
} from '../github/open-repository.ts';
import { noticingGone } from './record-gone.ts';

/** Where a repository is kept: in the embedded git host, at GitHub in a connected account, or public at any host. */
export type RepositoryPlace =
  | ({ readonly kind: 'own' } & AskedRepository)
  | ({ readonly kind: 'github' } & GitHubName)
  | { readonly kind: 'outside'; readonly repository: RepositoryAddress };

/**
 * The repository that a call names: by owner and name at the git provider, or by an address, which then counts alone.
 * @throws AppError invalid_input for an address that is none, or of a host that is not allowed
 */
export function repositoryPlace(
  ctx: Pick<AppContext, 'addresses' | 'outsideGit' | 'github'>,
  given: { owner: string; name: string; url?: string | undefined; is_public?: boolean },
): RepositoryPlace {
  const { owner: account, name: repo } = given;
  const url = given.url?.trim() ?? '';
  if (url === '' && ctx.github === undefined) return { kind: 'own', owner: account, name: repo };
  if (url === '' && given.is_public === true) {
    return { kind: 'outside', repository: ctx.outsideGit.allowed(`${ctx.github?.url}/${account}/${repo}`) };
  }
  if (url === '') return { kind: 'github', owner: account, name: repo };
  if (!isOwnAddress(ctx, url)) {
    return { kind: 'outside', repository: ctx.outsideGit.allowed(url) };
  }
  const { owner, name } = parseRepositoryUrl(url);
  if (owner !== undefined && name !== undefined) return { kind: 'own', owner, name };
  throw new AppError('invalid_input', 'The address names no owner and repository.');
}

type WithAddress = { readonly addresses: Pick<AppContext['addresses'], 'publicUrl'> };

function isOwnAddress({ addresses }: WithAddress, url: string): boolean {
  return url.toLowerCase().startsWith(`${addresses.publicUrl.toLowerCase()}/`);
}

/**
 * The repository that a call names, where an address of the embedded git host is read as OP-44 says: without what follows the last dot, and
 * whole where there is no such repository.
 * @throws as `repositoryPlace`
 */
export async function findPlace(
  ctx: AppContext,
  user: Actor,
  given: Parameters<typeof repositoryPlace>[1],
): Promise<RepositoryPlace> {
  const place = repositoryPlace(ctx, given);
  const whole = given.url?.trim().split('/')[4];
  if (place.kind !== 'own' || !whole || whole === place.name) return place;
  const { owner, name } = place;
  if ((await ctx.git.find({ owner, name }, user)) !== null) return place;
  return (await ctx.git.find({ owner, name: whole }, user)) === null ? place : { ...place, name: whole };
}

/**
 * Lends what to check a commit out from, where an address is one of the embedded git host and the user may read the repository.
 * @returns null where there is no such repository for the user, undefined for an address elsewhere
 */
export async function ownSourceAt(
  ctx: AppContext,
  user: Actor,
  given: Parameters<typeof repositoryPlace>[1] & { readonly url: string },
): Promise<Lend | null | undefined> {
  if (!isOwnAddress(ctx, given.url)) return undefined;
  try {
    const place = await findPlace(ctx, user, given);
    if (place.kind !== 'own') return null;
    const own = await ctx.git.identify(place, user);
    return (work) => ctx.git.reading(own, user, work);
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    return null;
  }
}

/** Owner and name by which a deploy of before repositories had ids names one of the embedded git host; null for one elsewhere. */
export function ownNameIn(
  ctx: WithAddress,
  deploy: Pick<RecordedRepository, 'repo_owner' | 'repo_name' | 'repo_url'>,
): { owner: string; name: string } | null {
  if (deploy.repo_url === null) return { owner: deploy.repo_owner, name: deploy.repo_name };
  if (!isOwnAddress(ctx, deploy.repo_url)) return null;
  const { owner, name } = parseRepositoryUrl(deploy.repo_url);
  return owner === undefined || name === undefined ? null : { owner, name };
}

/**
 * The repository that was recorded when the deploy was created or connected: what has its name by now counts for nothing.
 * @throws AppError repository_deleted for a deploy that has none, invalid_input for a host that is no longer allowed
 */
export function placeOfDeploy(
  { outsideGit }: Pick<AppContext, 'outsideGit'>,
  deploy: RecordedRepository,
): RepositoryPlace {
  const { repo_owner: owner, repo_name: name, repo_url: url, github_repository_id: gitHubId } = deploy;
  if (gitHubId !== null) return { kind: 'github', owner, name, id: gitHubId };
  if (deploy.repository_id !== null) return { kind: 'own', owner, name, id: deploy.repository_id };
  if (url !== null) return { kind: 'outside', repository: outsideGit.allowed(url) };
  throw repositoryDeleted({ owner, name });
}

/**
 * Branches of a repository, its default branch first.
 * @throws AppError repository_not_found for one that does not exist or that the user may not read,
 *   git_host_unavailable
 */
export function branchesAt(ctx: AppContext, user: Actor, place: RepositoryPlace): Promise<string[]> {
  if (place.kind === 'own') return ctx.git.branches(place, user);
  if (place.kind === 'github') return gitHubBranches(ctx, user, place);
  return ctx.outsideGit.branches(place.repository, user);
}

/** What a deploy records of its repository, so that nothing that is called the same later is taken for it. */
export type RecordedRepository = Pick<
  Selectable<DeploysTable>,
  'repo_owner' | 'repo_name' | 'repo_url' | 'github_repository_id' | 'repository_id'
>;

/**
 * Looks whether the user may read a repository.
 * @throws AppError repository_not_found for one that does not exist or that the user may not read, git_host_unavailable
 */
export async function requireRepository(
  ctx: AppContext,
  user: Actor,
  place: RepositoryPlace,
): Promise<RecordedRepository> {
  const none = { repo_url: null, github_repository_id: null, repository_id: null };
  if (place.kind === 'own') {
    const { owner, name, id } = await ctx.git.identify(place, user);
    return { ...none, repo_owner: owner, repo_name: name, repository_id: id };
  }
  if (place.kind === 'github') {
    const { repository } = await openGitHubRepository(ctx, user, place);
    return {
      ...none,
      repo_owner: place.owner,
      repo_name: place.name,
      github_repository_id: repository.id,
    };
  }
  await ctx.outsideGit.branches(place.repository, user);
  const { owner, name, url } = place.repository;
  return { ...none, repo_owner: owner, repo_name: name, repo_url: url };
}

/**
 * Lends what to check a branch out from while `work` runs; what another host keeps is brought to `gitDir` first. Deploys of a
 * repository that turns out to be gone show that.
 * @throws AppError repository_not_found, repository_deleted, git_host_unavailable; what `work` throws
 */
export async function withSourceAt<T>(
  ctx: AppContext,
  user: Actor,
  place: RepositoryPlace,
  to: { branch: string; gitDir: string; signal: AbortSignal },
  work: (source: CloneSource) => Promise<T>,
): Promise<T> {
  if (place.kind === 'own') return noticingGone(ctx, () => ctx.git.reading(place, user, work));
  if (place.kind === 'github') await fetchFromGitHub(ctx, user, place, to);
  else await ctx.outsideGit.fetch(place.repository, to.branch, to.gitDir, to.signal);
  return work({ gitDir: to.gitDir });
}
