import type { Repository, RepositoryUses } from '@cannery/contract';
import { sql } from 'kysely';
import type { Actor, AppContext } from '../../context.ts';
import type { IdentifiedRepository } from '../../git/host/embedded-host.ts';
import { ownerOf } from '../../git/repository/names.ts';
import { idOf } from '../../git/repository/repository-id.ts';
import type { RepositoryWatcher } from '../../git/repository/repository-folder.ts';
import { identifyOwn } from './read-own.ts';
import { dappsOf, usesOf } from './uses.ts';
import { recordWhetherGone } from './record-gone.ts';
import { ownNameIn } from './repository-place.ts';

interface Named {
  readonly owner: string;
  readonly repo: string;
}

/** @throws AppError not_found for a repository that is not the user's */
async function ownRepository(
  ctx: AppContext,
  user: Actor,
  { owner, repo: name }: Named,
): Promise<IdentifiedRepository> {
  return identifyOwn(() => ctx.git.readable(owner, name, user));
}

/** Keeps what deploys show of their repositories true. Which one is theirs is recorded by its id, and does not change. */
export function deploysOfRepositories(ctx: Pick<AppContext, 'transact'>): RepositoryWatcher {
  return {
    renamed: (id, name) =>
      ctx.transact(async (tx) => {
        await tx.updateTable('deploys').set({ repo_name: name }).where('repository_id', '=', id).execute();
      }),
    removed: (id) => recordWhetherGone(ctx, id, true),
  };
}

/**
 * Records the repositories of deploys that were created before repositories had ids: by their names, one last time.
 * One whose repository is gone counts as deleted. To be called before anybody is served.
 */
export async function recordRepositories(
  ctx: Pick<AppContext, 'db' | 'transact' | 'git'> & {
    readonly addresses: Pick<AppContext['addresses'], 'publicUrl'>;
  },
): Promise<void> {
  const rows = await ctx.db
    .selectFrom('deploys')
    .innerJoin('users', 'users.id', 'deploys.user_id')
    .select(['deploys.id', 'user_id', 'username', 'repo_owner', 'repo_name', 'repo_url'])
    .where('repository_id', 'is', null)
    .where('github_repository_id', 'is', null)
    .where('repository_deleted', '=', false)
    .where((where) =>
      where.or([
        where('repo_url', 'is', null),
        where(sql`starts_with(lower(repo_url), ${`${ctx.addresses.publicUrl.toLowerCase()}/`})`, '=', true),
      ]),
    )
    .execute();
  for (const row of rows) {
    const user = { id: row.user_id, username: row.username };
    const named = ownNameIn(ctx, row);
    const isOwn = named !== null && named.owner.toLowerCase() === ownerOf(user).toLowerCase();
    const found = isOwn ? await ctx.git.readable(named.owner, named.name, user) : null;
    const id = found === null ? null : await idOf(found.gitDir);
    await ctx.transact(async (tx) => {
      await tx
        .updateTable('deploys')
        .set({ repo_url: null, repository_id: id, repository_deleted: id === null })
        .where('id', '=', row.id)
        .execute();
    });
  }
}

/** @throws AppError not_found for a repository that is not the user's */
export async function repositoryUses(ctx: AppContext, user: Actor, named: Named): Promise<RepositoryUses> {
  const { id, owner, name } = await ownRepository(ctx, user, named);
  const page = `${ctx.addresses.publicUrl}/${owner}/${name}`;
  const addresses = [page, `${page}/`, `${page}.git`];
  return {
    deploys: await usesOf(ctx.db, { userId: user.id, repositoryId: id }),
    dapps: await dappsOf(ctx.db, { userId: user.id, addresses }),
  };
}

/**
 * Deletes a repository of the user. Its deploys keep what is live, and take no other repository for it.
 * @throws AppError not_found for a repository that is not the user's; as `remove` of the git host
 */
export async function deleteRepository(ctx: AppContext, user: Actor, named: Named): Promise<void> {
  await ctx.git.remove(user, await ownRepository(ctx, user, named), deploysOfRepositories(ctx));
}

/**
 * Renames a repository of the user; its deploys stay with it.
 * @throws AppError not_found for a repository that is not the user's; as `rename` of the git host
 */
export async function renameRepository(
  ctx: AppContext,
  user: Actor,
  named: Named,
  name: string,
): Promise<Repository> {
  return ctx.git.rename(user, await ownRepository(ctx, user, named), name, deploysOfRepositories(ctx));
}

/** @throws AppError not_found for a repository that is not the user's, and for a branch that it does not have */
export async function setDefaultBranch(
  ctx: AppContext,
  user: Actor,
  named: Named,
  branch: string,
): Promise<Repository> {
  return ctx.git.setDefaultBranch(user, await ownRepository(ctx, user, named), branch);
}
