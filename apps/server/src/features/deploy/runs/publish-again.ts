import type { Actor, AppContext } from '../../../context.ts';
import { answerOnce } from '../../../db/answer-once.ts';
import { AppError } from '../../../errors.ts';
import { findInstance, lockRuns } from '../store/run-store.ts';
import { artifactsOf, awaitingOf } from '../artifacts/keep-artifact.ts';
import { scheduleRun } from './trigger-deploy.ts';

/**
 * Schedules a run that publishes again what an earlier successful run has published, without a build. It joins no waiting
 * run but one that does the same.
 * @param input.key what the client calls this request: of requests of one key, one is carried out and all get its answer
 * @throws AppError not_found, invalid_input for a run that did not succeed or of which nothing is kept, quota_reached
 */
export async function rollBack(
  ctx: AppContext,
  user: Actor,
  { deployId, instanceId, key }: { deployId: string; instanceId: string; key?: string | undefined },
): Promise<{ id: string }> {
  const request = { userId: user.id, key, content: ['deploy.rollback', deployId, instanceId] };
  return ctx.transact(async (tx) => ({
    id: await answerOnce(tx, request, async () => {
      const source = await findInstance(tx, user.id, deployId, instanceId);
      if (source.status !== 'COMPLETED') {
        throw new AppError('invalid_input', 'Only a run that has succeeded can be rolled back to.');
      }
      if (!(await artifactsOf(tx, [source.id])).has(source.id)) {
        throw new AppError(
          'invalid_input',
          'What this run has published is not kept any more. Push its commit again and deploy.',
        );
      }
      return scheduleRun(ctx, tx, user, { deployId, triggerBy: 'ROLLBACK', source });
    }),
  }));
}

/**
 * Schedules a run that publishes what the newest run of a deploy has built and was refused for its interface. Of one
 * refused run there is one such run: a second call answers its id.
 * @param input.key what the client calls this request: of requests of one key, one is carried out and all get its answer
 * @throws AppError not_found, invalid_input for a run that awaits no approval, quota_reached
 */
export async function publishAnyway(
  ctx: AppContext,
  user: Actor,
  { deployId, instanceId, key }: { deployId: string; instanceId: string; key?: string | undefined },
): Promise<{ id: string }> {
  const request = { userId: user.id, key, content: ['deploy.publish', deployId, instanceId] };
  return ctx.transact(async (tx) => ({
    id: await answerOnce(tx, request, async () => {
      const source = await findInstance(tx, user.id, deployId, instanceId);
      // Two calls at once, or a call and a push: the second one sees the run of the first.
      await lockRuns(tx, deployId);
      const started = await tx
        .selectFrom('deploy_instances')
        .select('id')
        .where('source_id', '=', source.id)
        .where('trigger_by', '=', 'APPROVAL')
        .executeTakeFirst();
      if (started !== undefined) return started.id;
      if (!(await awaitingOf(tx, [source])).has(source.id)) {
        throw new AppError(
          'invalid_input',
          'Only the newest run of a deploy can be published anyway, and only when it was refused for its interface. Deploy again.',
        );
      }
      return scheduleRun(ctx, tx, user, { deployId, triggerBy: 'APPROVAL', source });
    }),
  }));
}
