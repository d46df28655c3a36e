import type { AppContext } from '../../context.ts';
import { RepositoryGoneError } from '../../git/repository/git-host.ts';

/** Records with each deploy of a repository whether that is there. @param id of one that was proven to be gone, or was read */
export async function recordWhetherGone(
  ctx: Pick<AppContext, 'transact'>,
  id: string,
  isGone: boolean,
): Promise<void> {
  await ctx.transact(async (tx) => {
    await tx
      .updateTable('deploys')
      .set({ repository_deleted: isGone })
      .where('repository_id', '=', id)
      .where('repository_deleted', '=', !isGone)
      .execute();
  });
}

/**
 * Reads the recorded repository of a deploy. Where it is gone its deploys say so from then on: it may have been deleted while they were
 * created or connected, or an operator has removed its folder.
 * @throws what `read` throws
 */
export async function noticingGone<T>(ctx: AppContext, read: () => Promise<T>): Promise<T> {
  try {
    return await read();
  } catch (error) {
    if (error instanceof RepositoryGoneError) await recordWhetherGone(ctx, error.id, true);
    throw error;
  }
}
