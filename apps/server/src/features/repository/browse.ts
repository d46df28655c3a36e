import type { RepositoryAccount, RepositoryContent } from '@cannery/contract';
import type { Actor, AppContext } from '../../context.ts';
import { notFound } from '../../errors.ts';
import { ownerOf } from '../../git/repository/names.ts';

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
  { owner, repo, branch }: { owner: string; repo: string; branch?: string | undefined },
): Promise<RepositoryContent> {
  const shown = await ctx.git.content({ owner, repo: repo.replace(/\.git$/, ''), branch }, user);
  const place = `${encodeURIComponent(shown.owner)}/${encodeURIComponent(shown.name)}.git`;
  return { ...shown, clone_url: `${ctx.addresses.publicUrl}/${place}` };
}
