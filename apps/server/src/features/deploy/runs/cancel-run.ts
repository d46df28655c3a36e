import type { Actor, AppContext } from '../../../context.ts';
import type { Tx } from '../../../db/tx.ts';
import { addLogLine } from '../../../jobs/instance-log.ts';
import { tell } from '../../../jobs/notices.ts';
import { remainsText } from './go-back.ts';
import { findInstance, type RunRow, moveInstance } from '../store/run-store.ts';
import { startNext } from './trigger-deploy.ts';

/** The user has cancelled the run. */
export class RunCancelledError extends Error {
  override readonly name = 'RunCancelledError';

  constructor(by: string) {
    super(`Cancelled by ${by}.`);
  }
}

/** How often a worker looks by itself whether a run is cancelled, in milliseconds: news can be missed. */
const LOOK_MS = 1_000;

const cancelNews = (instanceId: string): string => `cancel:${instanceId}`;

/**
 * Cancels a run: one that waits ends at once, one that is under way as soon as its worker, in whatever process, has
 * stopped it. A run that is over stays as it is.
 * @returns the run as it is now
 * @throws AppError not_found, also for a run of somebody else's deploy
 */
export async function cancelRun(
  ctx: AppContext,
  user: Actor,
  { deployId, instanceId }: { deployId: string; instanceId: string },
): Promise<RunRow> {
  await findInstance(ctx.db, user.id, deployId, instanceId);
  await ctx.transact((tx) => cancelWithin(tx, user, instanceId));
  await startNext(ctx, deployId);
  return findInstance(ctx.db, user.id, deployId, instanceId);
}

/**
 * Cancels a run within a transaction; whoever calls it starts the next run of the deploy afterwards.
 * @returns the run as it was until then; undefined when it is gone
 */
export async function cancelWithin(tx: Tx, user: Actor, instanceId: string): Promise<RunRow | undefined> {
  const run = await lockRun(tx, instanceId);
  if (run === undefined || (run.status !== 'SCHEDULED' && run.status !== 'RUNNING')) return run;
  await tx
    .updateTable('deploy_instances')
    .set({ cancelled_by: run.cancelled_by ?? user.username })
    .where('id', '=', instanceId)
    .execute();
  if (run.status === 'SCHEDULED') await end(tx, run, user.username);
  else await tell(tx, cancelNews(instanceId));
  return run;
}

/** Ends a run that its worker has stopped because it was cancelled. */
export async function endCancelled(ctx: AppContext, instanceId: string): Promise<void> {
  await ctx.transact(async (tx) => {
    const run = await lockRun(tx, instanceId);
    if (run?.status === 'RUNNING' && run.cancelled_by !== null) await end(tx, run, run.cancelled_by);
  });
}

/** Fires with a RunCancelledError when a run is cancelled, whichever process has taken the word. */
export function watchForCancel(
  ctx: AppContext,
  instanceId: string,
): { readonly signal: AbortSignal; stop(): void } {
  const cancelled = new AbortController();
  const look = (): void => {
    ctx.db
      .selectFrom('deploy_instances')
      .select('cancelled_by')
      .where('id', '=', instanceId)
      .executeTakeFirst()
      .then((run) => {
        if (run?.cancelled_by) cancelled.abort(new RunCancelledError(run.cancelled_by));
      })
      .catch((error: unknown) =>
        ctx.log.warn({ err: error, instanceId }, 'it could not be seen whether a run is cancelled'),
      );
  };
  const unwatch = ctx.notices.watch(cancelNews(instanceId), look);
  const timer = setInterval(look, LOOK_MS);
  look();
  return {
    signal: cancelled.signal,
    stop() {
      unwatch();
      clearInterval(timer);
    },
  };
}

async function lockRun(tx: Tx, id: string): Promise<RunRow | undefined> {
  return tx.selectFrom('deploy_instances').selectAll().where('id', '=', id).forUpdate().executeTakeFirst();
}

async function end(tx: Tx, run: RunRow, by: string): Promise<void> {
  await addLogLine(tx, run.id, `${new RunCancelledError(by).message}${await remainsText(tx, run.id)}`);
  await moveInstance(tx, run, 'FAILED');
}
