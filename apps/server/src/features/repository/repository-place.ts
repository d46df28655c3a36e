import { parseRepositoryUrl, type RepositoryAddress } from '@cannery/contract';
import type { Actor, AppContext } from '../../context.ts';
import { AppError } from '../../errors.ts';
import type { CloneSource } from '../../git/repository/git-host.ts';
import {
  fetchFromGitHub,
  gitHubBranches,
  type GitHubName,
  openGitHubRepository,
} from '../github/open-repository.ts';

/** Where a repository is kept: in the embedded git host, at GitHub in a connected account, or public at any host. */
export type RepositoryPlace =
  | { readonly kind: 'own'; readonly owner: string; readonly name: string }
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

function isOwnAddress({ addresses }: Pick<AppContext, 'addresses'>, url: string): boolean {
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
  if ((await ctx.git.readable(owner, name, user)) !== null) return place;
  return (await ctx.git.readable(owner, whole, user)) === null ? place : { ...place, name: whole };
}

/**
 * What to check a commit out from, where an address is one of the embedded git host and the user may read the repository.
 * @returns null where there is no such repository for the user, undefined for an address elsewhere
 */
export async function ownSourceAt(
  ctx: AppContext,
  user: Actor,
  given: Parameters<typeof repositoryPlace>[1] & { readonly url: string },
): Promise<CloneSource | null | undefined> {
  if (!isOwnAddress(ctx, given.url)) return undefined;
  try {
    const place = await findPlace(ctx, user, given);
    return place.kind === 'own' ? await ctx.git.cloneSource(place.owner, place.name, user) : null;
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    return null;
  }
}

/** The repository of a deploy, where it was when the deploy was created. @throws as `repositoryPlace` */
export function placeOfDeploy(
  ctx: Pick<AppContext, 'addresses' | 'outsideGit' | 'github'>,
  deploy: {
    repo_owner: string;
    repo_name: string;
    repo_url: string | null;
    github_repository_id: number | null;
  },
): RepositoryPlace {
  const { repo_owner: owner, repo_name: name, repo_url: url, github_repository_id: id } = deploy;
  if (id !== null) return { kind: 'github', owner, name, id };
  return url === null ? { kind: 'own', owner, name } : repositoryPlace(ctx, { owner, name, url });
}

/**
 * Branches of a repository, its default branch first.
 * @throws AppError repository_not_found for one that does not exist or that the user may not read,
 *   git_host_unavailable
 */
export function branchesAt(ctx: AppContext, user: Actor, place: RepositoryPlace): Promise<string[]> {
  if (place.kind === 'own') return ctx.git.branches(place.owner, place.name, user);
  if (place.kind === 'github') return gitHubBranches(ctx, user, place);
  return ctx.outsideGit.branches(place.repository, user);
}

/**
 * Looks whether the user may read a repository.
 * @returns its id at GitHub, where it is there; else null
 * @throws AppError repository_not_found for one that does not exist or that the user may not read, git_host_unavailable
 */
export async function requireRepository(
  ctx: AppContext,
  user: Actor,
  place: RepositoryPlace,
): Promise<number | null> {
  if (place.kind === 'github') return (await openGitHubRepository(ctx, user, place)).repository.id;
  if (place.kind === 'own') await ctx.git.cloneSource(place.owner, place.name, user);
  else await ctx.outsideGit.branches(place.repository, user);
  return null;
}

/**
 * What to check a branch out from; what another host keeps is brought to `gitDir` first.
 * @throws AppError repository_not_found, git_host_unavailable
 */
export async function cloneSourceAt(
  ctx: AppContext,
  user: Actor,
  place: RepositoryPlace,
  to: { branch: string; gitDir: string; signal: AbortSignal },
): Promise<CloneSource> {
  if (place.kind === 'own') return ctx.git.cloneSource(place.owner, place.name, user);
  if (place.kind === 'github') await fetchFromGitHub(ctx, user, place, to);
  else await ctx.outsideGit.fetch(place.repository, to.branch, to.gitDir, to.signal);
  return { gitDir: to.gitDir };
}
