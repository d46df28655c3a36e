import type { Actor, AppContext } from '../../context.ts';
import { AppError, isNetworkAway } from '../../errors.ts';
import { runAction } from '../canister/run-action.ts';
import type { Sweep } from '../canister/sweep-intents.ts';
import { endUpgrade } from './end-upgrade.ts';
import { listCutOff } from './upgrade-store.ts';

/** Most upgrades of one round. */
const BATCH = 100;
/** At a time. */
const AT_ONCE = 8;

/** Ends upgrades by runs of deploys, and their ways back, that a crash or a vanished network has left in the middle. */
export async function sweepUpgrades(ctx: AppContext): Promise<Sweep> {
  const queue = await listCutOff(ctx.db, BATCH);
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

/** Whether the upgrade is ended; if not, the next round takes it up again. */
async function endOrLeave(ctx: AppContext, user: Actor, canisterId: string): Promise<boolean> {
  try {
    const end = () => endUpgrade(ctx, user, canisterId);
    const ended = await runAction(ctx, user, canisterId, end, { endsChange: true });
    if (ended === undefined) return false;
    ctx.log.warn(
      { canisterId, outcome: ended.outcome },
      'An upgrade by a deploy that was cut off has been ended',
    );
    return true;
  } catch (error) {
    // A run or another process has it, or the installation of it is being ended, or the network is not back yet.
    const isUnderWay = error instanceof AppError && error.code === 'canister_busy';
    if (!isUnderWay && !isNetworkAway(error)) {
      ctx.log.error({ err: error, canisterId }, 'An upgrade by a deploy could not be ended yet');
    }
    return false;
  }
}
