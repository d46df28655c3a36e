import type { AppContext } from '../../../context.ts';
import { eachOf } from '../../../fairness/each-of.ts';
import { repeat, type Repeated } from '../../../jobs/repeat.ts';
import { abandonIntent, claimAbandonedIntents, type Intent } from './intents.ts';
import { recoverIntent } from './recover-intent.ts';

/** How often is looked for what others have left behind, in milliseconds. */
const SWEEP_MS = 5000;
/** And at first, when something had to wait for the network. */
const SOON_MS = 500;
/** Most intents of one round; more than a server has under way when it dies. */
const BATCH = 500;
/** The network certifies what comes at once with one signature, which is then checked once. */
const AT_ONCE = 64;

/** What one round came to. */
export interface Sweep {
  readonly ended: number;
  /** Those that have to wait for the network. */
  readonly left: number;
}

/** Ends what a crash or a vanished network left behind. */
export async function sweepIntents(ctx: AppContext): Promise<Sweep> {
  const queue = await ctx.transact((tx) => claimAbandonedIntents(tx, BATCH));
  let ended = 0;
  await eachOf(queue, AT_ONCE, async (intent) => {
    if (await endOrLeave(ctx, intent)) ended++;
  });
  return { ended, left: queue.length - ended };
}

/** Whether the intent is ended; if not, the next round takes it up again. */
async function endOrLeave(ctx: AppContext, intent: Intent): Promise<boolean> {
  try {
    const ending = await recoverIntent(ctx, intent);
    if (ending !== undefined) {
      ctx.log.warn({ kind: intent.kind, done: ending.done }, 'An action that was cut off has been ended');
      return true;
    }
  } catch (error) {
    ctx.log.error({ err: error, kind: intent.kind }, 'An action that was cut off could not be ended yet');
  }
  await ctx.transact((tx) => abandonIntent(tx, intent.id));
  return false;
}

/** Sweeps now and every few seconds until stopped. @param sweep one round of it */
export function startSweeper(ctx: AppContext, sweep: () => Promise<Sweep>): Repeated {
  let soonMs = SOON_MS;
  return repeat(sweep, {
    pauseMs(result) {
      if (result === undefined) return SWEEP_MS;
      soonMs = result.left === 0 ? SOON_MS : Math.min(2 * soonMs, SWEEP_MS);
      return result.left === 0 ? SWEEP_MS : soonMs;
    },
    failed: (error) => ctx.log.error({ err: error }, 'Looking for actions that were cut off failed'),
  });
}
