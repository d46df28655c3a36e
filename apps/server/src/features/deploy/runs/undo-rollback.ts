import type { Actor, AppContext } from '../../../context.ts';
import { answerOnce } from '../../../db/answer-once.ts';
import type { Tx } from '../../../db/tx.ts';
import { AppError } from '../../../errors.ts';
import { artifactsOf } from '../artifacts/keep-artifact.ts';
import { findInstance, latestInstances, type RunRow } from '../store/run-store.ts';
import { lockDeploy } from '../store/store.ts';
import { cancelWithin } from './cancel-run.ts';
import { scheduleRun, startNext } from './trigger-deploy.ts';

/**
 * Takes a rollback back. One that has not begun is cancelled, and that is all. One that has begun may have published something,
 * wherever it is stopped, so what was live before is published again behind it. Both happen, or neither.
 * @param input.key what the client calls this request: of requests of one key, one is carried out and all get its answer
 * @returns the run that puts back what was live, or the rollback itself where it never began
 * @throws AppError not_found, quota_reached, invalid_input for a run that is no rollback or not the newest one, and where what was live
 *   is not kept, or is of other canisters
 */
export async function undoRollback(
  ctx: AppContext,
  user: Actor,
  { deployId, instanceId, key }: { deployId: string; instanceId: string; key?: string | undefined },
): Promise<{ id: string }> {
  const request = { userId: user.id, key, content: ['deploy.undo', deployId, instanceId] };
  const id = await ctx.transact((tx) =>
    answerOnce(tx, request, async () => {
      const { live_run_id: live } = await lockDeploy(tx, user.id, deployId);
      const run = await findInstance(tx, user.id, deployId, instanceId);
      if (run.trigger_by !== 'ROLLBACK')
        throw new AppError('invalid_input', 'Only a rollback can be undone.');
      const newest = (await latestInstances(tx, [deployId])).get(deployId);
      if (newest?.id !== run.id) {
        throw new AppError(
          'invalid_input',
          'Another run has come after this rollback, so it is not undone. Roll back to the run that you want.',
        );
      }
      // As it is under its lock: a worker may have taken it meanwhile.
      const was = (await cancelWithin(tx, user, run.id)) ?? run;
      if (was.status === 'SCHEDULED' && was.attempt === 0) return run.id;
      const before = was.status === 'COMPLETED' ? was.replaced_run_id : live;
      const source = await sourceOfUndo(tx, user, was, before);
      return scheduleRun(ctx, tx, user, { deployId, triggerBy: 'ROLLBACK', source });
    }),
  );
  await startNext(ctx, deployId);
  return { id };
}

/** The run whose result makes a rollback undone. @throws AppError invalid_input where there is none */
async function sourceOfUndo(tx: Tx, user: Actor, run: RunRow, before: string | null): Promise<RunRow> {
  const kept = await artifactsOf(tx, [before ?? '', run.source_id ?? '']);
  const back = before === null ? undefined : kept.get(before);
  if (before === null || back === undefined) {
    throw new AppError(
      'invalid_input',
      'What was live before this rollback is not kept, so it cannot be put back. Deploy its commit again.',
    );
  }
  const names = new Set(back.map(({ name }) => name));
  if ((kept.get(run.source_id ?? '') ?? []).some(({ name }) => !names.has(name))) {
    throw new AppError(
      'invalid_input',
      'What was live before this rollback came from several runs. Roll back to them, the oldest first.',
    );
  }
  return findInstance(tx, user.id, run.deploy_id, before);
}
