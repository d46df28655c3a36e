import type { Repository, RepositoryUses } from '@cannery/contract';
import type { Actor, AppContext } from '../../context.ts';
import { AppError, notFound } from '../../errors.ts';
import type { BareRepository } from '../../git/repository/repository-folder.ts';
import { placeOfDeploy } from './repository-place.ts';

interface Named {
  readonly owner: string;
  readonly repo: string;
}

interface UsingDeploy {
  readonly id: string;
  readonly name: string;
  readonly repo_url: string | null;
}

function isSame(a: string, b: string): boolean {
  return a.toLowerCase() === b.toLowerCase();
}

/** Deploys of the user whose code is in a repository of the embedded git host, by name. */
async function deploysOf(
  ctx: AppContext,
  user: Actor,
  { owner, name }: { readonly owner: string; readonly name: string },
): Promise<UsingDeploy[]> {
  const rows = await ctx.db
    .selectFrom('deploys')
    .select(['id', 'name', 'repo_owner', 'repo_name', 'repo_url', 'github_repository_id'])
    .where('user_id', '=', user.id)
    .orderBy('name')
    .execute();
  return rows.filter((row) => {
    try {
      const place = placeOfDeploy(ctx, row);
      return place.kind === 'own' && isSame(place.owner, owner) && isSame(place.name, name);
    } catch (error) {
      // Its host is no longer allowed.
      if (!(error instanceof AppError)) throw error;
      return false;
    }
  });
}

/** @throws AppError not_found for a repository that is not the user's */
async function ownRepository(ctx: AppContext, user: Actor, { owner, repo }: Named): Promise<BareRepository> {
  const repository = await ctx.git.readable(owner, repo, user);
  if (repository === null) throw notFound('Repository');
  return repository;
}

/** @throws AppError not_found for a repository that is not the user's */
export async function repositoryUses(ctx: AppContext, user: Actor, named: Named): Promise<RepositoryUses> {
  const deploys = await deploysOf(ctx, user, await ownRepository(ctx, user, named));
  return { deploys: deploys.map(({ id, name }) => ({ id, name })) };
}

/** @throws AppError not_found for a repository that is not the user's; as `remove` of the git host */
export async function deleteRepository(ctx: AppContext, user: Actor, named: Named): Promise<void> {
  const { owner, name } = await ownRepository(ctx, user, named);
  await ctx.git.remove(user, owner, name);
}

/**
 * Renames a repository of the user with its deploys. The deploys come first: a server that is killed between the two has lost nothing,
 * and the same call made again brings them together.
 * @throws AppError not_found for a repository that is not the user's; as `rename` of the git host
 */
export async function renameRepository(
  ctx: AppContext,
  user: Actor,
  named: Named,
  name: string,
): Promise<Repository> {
  return ctx.git.rename(user, await ownRepository(ctx, user, named), name, async (from) => {
    const deploys = await deploysOf(ctx, user, from);
    const address = `${ctx.addresses.publicUrl}/${from.owner}/${name}.git`;
    await ctx.transact(async (tx) => {
      for (const { id, repo_url: url } of deploys)
        await tx
          .updateTable('deploys')
          .set({ repo_name: name, ...(url === null ? {} : { repo_url: address }) })
          .where('id', '=', id)
          .where('user_id', '=', user.id)
          .execute();
    });
  });
}

/** @throws AppError not_found for a repository that is not the user's, and for a branch that it does not have */
export async function setDefaultBranch(
  ctx: AppContext,
  user: Actor,
  named: Named,
  branch: string,
): Promise<Repository> {
  const { owner, name } = await ownRepository(ctx, user, named);
  return ctx.git.setDefaultBranch(user, owner, name, branch);
}
