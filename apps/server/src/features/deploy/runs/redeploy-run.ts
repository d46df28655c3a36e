import type { Actor, AppContext } from '../../../context.ts';
import { answerOnce } from '../../../db/answer-once.ts';
import { AppError } from '../../../errors.ts';
import { commitOf } from '../../../git/repository/read-repository.ts';
import { GitError } from '../../../git/repository/run-git.ts';
import { placeOfDeploy } from '../../repository/repository-place.ts';
import { findInstance } from '../store/run-store.ts';
import { findDeploy } from '../store/store.ts';
import { scheduleRun } from './trigger-deploy.ts';

/**
 * Schedules a run that builds the commit of an earlier run again, with the settings that the deploy has now.
 * @param input.key what the client calls this request: of requests of one key, one is carried out and all get its answer
 * @throws AppError not_found, repository_deleted, quota_reached, invalid_input for a run without a commit, a commit that the repository
 *   does not have any more, and a repository of another host, which is asked for its branch alone
 */
export async function redeployRun(
  ctx: AppContext,
  user: Actor,
  { deployId, instanceId, key }: { deployId: string; instanceId: string; key?: string | undefined },
): Promise<{ id: string }> {
  const place = placeOfDeploy(ctx, await findDeploy(ctx.db, user.id, deployId));
  const { commit_sha: commit } = await findInstance(ctx.db, user.id, deployId, instanceId);
  if (commit === null) throw new AppError('invalid_input', 'This run has built no commit.');
  if (place.kind !== 'own') {
    throw new AppError(
      'invalid_input',
      'The commit of an earlier run is built again for repositories of this console only: another host is asked for its branch.',
    );
  }
  await ctx.git
    .reading(place, user, async ({ gitDir, bring }) => {
      await bring?.(commit);
      return commitOf(gitDir, commit);
    })
    .catch((error: unknown) => {
      if (!(error instanceof GitError)) throw error;
      throw new AppError('invalid_input', 'The repository does not have the commit of this run any more.');
    });
  const request = { userId: user.id, key, content: ['deploy.redeploy', deployId, instanceId] };
  return ctx.transact(async (tx) => ({
    id: await answerOnce(tx, request, async () => {
      const rebuilt = await findInstance(tx, user.id, deployId, instanceId);
      return scheduleRun(ctx, tx, user, { deployId, triggerBy: 'REDEPLOY', rebuilt });
    }),
  }));
}
