import type { AppContext } from '../../../context.ts';
import { AppError, isNetworkAway } from '../../../errors.ts';
import { eachOf } from '../../../fairness/each-of.ts';
import { runAction } from '../core/run-action.ts';
import type { Claimed } from '../core/store.ts';
import type { Sweep } from '../payment/sweep-intents.ts';
import type { ChangeCause } from './change-cause.ts';
import { type CodeChange, listCutOff } from './change-store.ts';
import { endChange } from './end-change.ts';

/** Most changes of one round. */
const BATCH = 100;
/** How many one sweep ends; a user waits for each. */
const AT_ONCE = 8;

/**
 * Ends changes of code, and ways back, that a crash or a vanished network has left in the middle; what cannot be ended yet is left
 * for the next round.
 */
export async function sweepChanges(
  ctx: AppContext,
  causes: Readonly<Record<CodeChange['cause'], ChangeCause>>,
): Promise<Sweep> {
  const queue = await listCutOff(ctx.db, BATCH);
  let ended = 0;
  const endOrLeave = async ({ canisterId, user, cause: name }: (typeof queue)[number]): Promise<boolean> => {
    const cause = causes[name];
    const end = (claimed: Claimed) => endChange(ctx, user, claimed, cause);
    try {
      const done = await runAction(ctx, user, canisterId, end, { endsChange: true });
      if (done === undefined) return false;
      ctx.log.warn({ canisterId, outcome: done.outcome }, `${cause.what} that was cut off has been ended`);
      return true;
    } catch (error) {
      // A run or another process has it, or the installation of it is being ended, or the network is not back yet.
      const isUnderWay = error instanceof AppError && error.code === 'canister_busy';
      if (!isUnderWay && !isNetworkAway(error)) {
        ctx.log.error({ err: error, canisterId }, `${cause.what} that was cut off could not be ended yet`);
      }
      return false;
    }
  };
  await eachOf(queue, AT_ONCE, async (next) => {
    if (await endOrLeave(next)) ended++;
  });
  return { ended, left: queue.length - ended };
}
