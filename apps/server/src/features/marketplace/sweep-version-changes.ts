import type { AppContext } from '../../context.ts';
import type { Actor } from '../../http/actor.ts';
import { AppError, isNetworkAway } from '../../errors.ts';
import { runAction } from '../canister/run-action.ts';
import type { Sweep } from '../canister/sweep-intents.ts';
import { endVersionChange } from './end-version-change.ts';
import { listAbandonedChanges } from './version-change-store.ts';

/** Most changes of one round. */
const BATCH = 100;
/** At a time; a user waits for each. */
const AT_ONCE = 8;

/** Finishes or undoes the upgrades and ways back that a crash or a vanished network has left behind. */
export async function sweepVersionChanges(ctx: AppContext): Promise<Sweep> {
  const queue = await listAbandonedChanges(ctx.db, BATCH);
  const all = queue.length;
  let ended = 0;
  const work = async (): Promise<void> => {
    for (let next = queue.shift(); next !== undefined; next = queue.shift()) {
      if (await endOrLeave(ctx, next.user, next.canisterId)) ended++;
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
  return { ended, left: all - ended };
}

/** Whether the change is ended; if not, the next round takes it up again. */
async function endOrLeave(ctx: AppContext, user: Actor, canisterId: string): Promise<boolean> {
  try {
    const end = () => endVersionChange(ctx, user, canisterId);
    const ended = await runAction(ctx, user, canisterId, end, { endsChange: true });
    if (ended === undefined) return false;
    ctx.log.warn(
      { canisterId, done: ended.isDone },
      'An upgrade or a way back that was cut off has been ended',
    );
    return true;
  } catch (error) {
    // Another process has it, or the installation of it is being ended, or the network is not back yet.
    const isUnderWay = error instanceof AppError && error.code === 'canister_busy';
    if (!isUnderWay && !isNetworkAway(error)) {
      ctx.log.error(
        { err: error, canisterId },
        'An upgrade or a way back that was cut off could not be ended yet',
      );
    }
    return false;
  }
}
