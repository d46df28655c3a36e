import type { AppContext } from '../../context.ts';
import { openInstanceLog } from '../../jobs/instance-log.ts';
import { LostRunError, moveInstance, openInstances } from './instance-store.ts';
import { deployQueue } from './queue.ts';

/** A run this young may have a job that is just being looked for, in milliseconds. */
const GRACE_MS = 60_000;

/**
 * Ends runs that no job stands behind any more, so that none stays scheduled or running for ever.
 * @returns how many it has ended
 */
export async function sweepInstances(ctx: AppContext): Promise<number> {
  const { transact, db, log: serverLog } = ctx;
  let ended = 0;
  for (const instance of await openInstances(db)) {
    const since = instance.started_at ?? instance.created_at;
    if (Date.now() - since.getTime() < GRACE_MS) continue;
    if (await ctx.jobs.isOpen(deployQueue, { instanceId: instance.id })) continue;
    const log = await openInstanceLog({ transact, db, log: serverLog, instanceId: instance.id, secrets: [] });
    log.say('Failed: the server stopped while it ran this deploy. Deploy again.');
    await log.flush();
    try {
      await transact((tx) => moveInstance(tx, instance, 'FAILED'));
      ended += 1;
    } catch (error) {
      if (!(error instanceof LostRunError)) throw error;
    }
  }
  return ended;
}
