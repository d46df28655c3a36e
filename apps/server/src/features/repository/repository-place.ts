import { parseRepositoryUrl, type RepositoryAddress } from '@cannery/contract';
import type { Actor, AppContext } from '../../context.ts';
import { AppError } from '../../errors.ts';
import type { CloneSource } from '../../git/git-host.ts';

/** Where a repository is kept: in the embedded git host, or at another. */
export type RepositoryPlace =
  | { readonly kind: 'own'; readonly owner: string; readonly name: string }
  | { readonly kind: 'outside'; readonly repository: RepositoryAddress };

/**
 * The repository that a call names: by owner and name, or by an address, which then counts alone.
 * @throws AppError invalid_input for an address that is none, or of a host that is not allowed
 */
export function repositoryPlace(
  ctx: Pick<AppContext, 'addresses' | 'outsideGit'>,
  given: { owner: string; name: string; url?: string | null | undefined },
): RepositoryPlace {
  const url = given.url?.trim() ?? '';
  if (url === '') return { kind: 'own', owner: given.owner, name: given.name };
  if (!url.toLowerCase().startsWith(`${ctx.addresses.publicUrl.toLowerCase()}/`)) {
    return { kind: 'outside', repository: ctx.outsideGit.allowed(url) };
  }
  const { owner, name } = parseRepositoryUrl(url);
  if (owner !== undefined && name !== undefined) return { kind: 'own', owner, name };
  throw new AppError('invalid_input', 'The address names no owner and repository.');
}

/**
 * Branches of a repository, its default branch first.
 * @throws AppError repository_not_found for one that does not exist or that the user may not read,
 *   git_host_unavailable
 */
export function branchesAt(ctx: AppContext, user: Actor, place: RepositoryPlace): Promise<string[]> {
  return place.kind === 'own'
    ? ctx.git.branches(place.owner, place.name, user)
    : ctx.outsideGit.branches(place.repository, user);
}

/** @throws AppError repository_not_found for one that does not exist or that the user may not read, git_host_unavailable */
export async function requireRepository(ctx: AppContext, user: Actor, place: RepositoryPlace): Promise<void> {
  if (place.kind === 'own') await ctx.git.cloneSource(place.owner, place.name, user);
  else await ctx.outsideGit.branches(place.repository, user);
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
  await ctx.outsideGit.fetch(place.repository, to.branch, to.gitDir, to.signal);
  return { gitDir: to.gitDir };
}
