import type { Actor, AppContext } from '../../context.ts';
import { answerOnce } from '../../db/answer-once.ts';
import type { Tx } from '../../db/tx.ts';
import { AppError } from '../../errors.ts';
import { countOpenRuns, insertInstance, lockRuns, nextTurn, openRunsOf } from './instance-store.ts';
import { deployQueue } from './queue.ts';
import { findDeploy } from './store.ts';

/** What starts a run: the user, or a push of the deploy's branch. */
export type Trigger = 'MANUAL' | 'PUSH';

/**
 * Schedules a run of a deploy, or answers the one that waits already and has not begun. The run and its job are one
 * commit: neither exists without the other. While another run of the deploy is under way the job comes with its end.
 * @param input.key what the client calls this request: of requests of one key, one is carried out and all get its answer
 * @throws AppError not_found, quota_reached when the user has too many runs in line, invalid_input for the key of another
 *   request
 */
export async function triggerDeploy(
  ctx: AppContext,
  user: Actor,
  {
    deployId,
    key,
    triggerBy = 'MANUAL',
  }: { deployId: string; key?: string | undefined; triggerBy?: Trigger },
): Promise<{ id: string }> {
  const request = { userId: user.id, key, content: ['deploy.trigger', deployId] };
  return ctx.transact(async (tx) => ({
    id: await answerOnce(tx, request, () => schedule(ctx, tx, user, { deployId, triggerBy })),
  }));
}

async function schedule(
  ctx: AppContext,
  tx: Tx,
  user: Actor,
  { deployId, triggerBy }: { deployId: string; triggerBy: Trigger },
): Promise<string> {
  const deploy = await findDeploy(tx, user.id, deployId);
  await lockRuns(tx, deploy.id);
  const open = await openRunsOf(tx, deploy.id);
  const waiting = open.find(({ status, attempt }) => status === 'SCHEDULED' && attempt === 0);
  if (waiting !== undefined) return waiting.id;
  const { openRunsOfUser } = ctx.config.build;
  if ((await countOpenRuns(tx, user.id)) >= openRunsOfUser) {
    throw new AppError(
      'quota_reached',
      `You have ${openRunsOfUser} deploys running or waiting. Wait until one of them has ended.`,
      { detail: 'The setting is OPEN_BUILDS_PER_USER.' },
    );
  }
  const turn = await nextTurn(tx, user.id);
  const jobSent = open.length === 0;
  const run = { deployId: deploy.id, userId: user.id, triggerBy, turn, jobSent };
  const id = await insertInstance(tx, run);
  if (jobSent) await ctx.jobs.send(tx, deployQueue, { instanceId: id }, { tenant: user.id, turn });
  return id;
}
