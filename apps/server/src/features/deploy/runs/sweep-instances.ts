import type { AppContext } from '../../../context.ts';
import { addLogLine } from '../../../jobs/instance-log.ts';
import { runsEnded } from '../../../metrics/instruments.ts';
import { remainsText } from './go-back.ts';
import { type RunRow, lockMovable, LostRunError, moveInstance, openInstances } from '../store/run-store.ts';
import { runQueues } from '../store/queue.ts';
import { startNext } from './trigger-deploy.ts';

/** A run this young may have a job that is just being looked for, in milliseconds. */
const GRACE_MS = 60_000;

/**
 * Ends runs that no job stands behind any more, so that none stays scheduled or running for ever, and lets in those that
 * wait for one that has ended.
 * @returns how many it has ended
 */
export async function sweepInstances(ctx: AppContext): Promise<number> {
  let ended = 0;
  for (const instance of await openInstances(ctx.db)) {
    if (await isLost(ctx, instance)) {
      if (!(await giveUp(ctx, instance))) continue;
      ended += 1;
      runsEnded.add({ status: 'LOST' });
    } else if (instance.job_sent) continue;
    await startNext(ctx, instance.deploy_id);
  }
  return ended;
}

async function isLost(ctx: AppContext, instance: RunRow): Promise<boolean> {
  const since = instance.started_at ?? instance.created_at;
  if (!instance.job_sent || Date.now() - since.getTime() < GRACE_MS) return false;
  // A run that an earlier version of the server has scheduled may be in the other line.
  for (const queue of runQueues) if (await ctx.jobs.isOpen(queue, { instanceId: instance.id })) return false;
  return true;
}

/** @returns false when somebody else has moved the run on */
async function giveUp(ctx: AppContext, instance: RunRow): Promise<boolean> {
  try {
    await ctx.transact(async (tx) => {
      // The workers of one database look for lost runs side by side.
      await lockMovable(tx, instance, 'FAILED');
      const why = 'Failed: the server stopped while it ran this deploy. Deploy again.';
      await addLogLine(tx, instance.id, `${instance.going_back ?? why}${await remainsText(tx, instance.id)}`);
      await moveInstance(tx, instance, 'FAILED');
    });
    return true;
  } catch (error) {
    if (!(error instanceof LostRunError)) throw error;
    return false;
  }
}
