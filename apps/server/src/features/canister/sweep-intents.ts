import type { AppContext } from '../../context.ts';
import { abandonIntent, claimAbandonedIntents } from './intents.ts';
import { recoverIntent } from './recover-intent.ts';

const SWEEP_MS = 5000;
const BATCH = 20;

/** Ends what a crash or a vanished network left behind; answers how many intents were ended. */
export async function sweepIntents(ctx: AppContext): Promise<number> {
  const intents = await ctx.transact((tx) => claimAbandonedIntents(tx, BATCH));
  let ended = 0;
  for (const intent of intents) {
    try {
      const ending = await recoverIntent(ctx, intent);
      if (ending === undefined) {
        await ctx.transact((tx) => abandonIntent(tx, intent.id));
        continue;
      }
      ended++;
      ctx.log.warn({ kind: intent.kind, done: ending.done }, 'An action that was cut off has been ended');
    } catch (error) {
      ctx.log.error({ err: error, kind: intent.kind }, 'An action that was cut off could not be ended yet');
      await ctx.transact((tx) => abandonIntent(tx, intent.id));
    }
  }
  return ended;
}

/** Sweeps now and every few seconds until stopped. */
export function startSweeper(ctx: AppContext): { stop(): Promise<void> } {
  let stopped = false;
  let timer: NodeJS.Timeout | undefined;
  let running: Promise<void> = Promise.resolve();
  const round = (): void => {
    running = sweepIntents(ctx)
      .then(
        () => undefined,
        (error: unknown) => {
          if (!stopped) ctx.log.error({ err: error }, 'Looking for actions that were cut off failed');
        },
      )
      .finally(() => {
        if (!stopped) timer = setTimeout(round, SWEEP_MS);
      });
  };
  round();
  return {
    async stop() {
      stopped = true;
      clearTimeout(timer);
      await running;
    },
  };
}
