import type { AppContext } from '../../../context.ts';
import { AppError, isNetworkAway } from '../../../errors.ts';
import type { Actor } from '../../../http/actor.ts';
import { runAction } from '../core/run-action.ts';
import type { Sweep } from './sweep-intents.ts';

/** Most changes of one round. */
export const SWEEP_BATCH = 100;
/** How many one sweep ends; a user waits for each. */
const AT_ONCE = 8;

/** Changes of code that a crash or a vanished network has left in the middle, and how one is ended. */
interface CutOff {
  readonly queue: { readonly user: Actor; readonly canisterId: string }[];
  /** What they are, as the beginning of a sentence of the log. */
  readonly what: string;
  /** Ends one; what it answers is logged. Undefined when there is nothing to end any more. */
  readonly end: (user: Actor, canisterId: string) => Promise<object | undefined>;
}

/** Ends changes that were cut off; what cannot be ended yet is left for the next round. */
export async function sweepCutOff(ctx: AppContext, { queue, what, end }: CutOff): Promise<Sweep> {
  const all = queue.length;
  let ended = 0;
  const endOrLeave = async (user: Actor, canisterId: string): Promise<boolean> => {
    try {
      const done = await runAction(ctx, user, canisterId, () => end(user, canisterId), { endsChange: true });
      if (done === undefined) return false;
      ctx.log.warn({ canisterId, ...done }, `${what} that was cut off has been ended`);
      return true;
    } catch (error) {
      // A run or another process has it, or the installation of it is being ended, or the network is not back yet.
      const isUnderWay = error instanceof AppError && error.code === 'canister_busy';
      if (!isUnderWay && !isNetworkAway(error)) {
        ctx.log.error({ err: error, canisterId }, `${what} that was cut off could not be ended yet`);
      }
      return false;
    }
  };
  const work = async (): Promise<void> => {
    for (let next = queue.shift(); next !== undefined; next = queue.shift()) {
      if (await endOrLeave(next.user, next.canisterId)) ended++;
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
  return { ended, left: all - ended };
}
