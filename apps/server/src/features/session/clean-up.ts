import type { AppContext } from '../../context.ts';
import { forgetExpired } from './store.ts';

const EVERY_MS = 10 * 60_000;

/** Deletes expired sessions, tokens and sign-ins now and then. */
export function startCleaner(ctx: AppContext): { stop(): Promise<void> } {
  let running: Promise<void> = Promise.resolve();
  const clean = (): void => {
    running = ctx
      .transact((tx) => forgetExpired(tx, ctx.config.sessionIdleMs))
      .catch((error: unknown) => {
        ctx.log.warn({ err: error }, 'Expired sessions could not be deleted');
      });
  };
  clean();
  const timer = setInterval(clean, EVERY_MS);
  return {
    async stop() {
      clearInterval(timer);
      await running;
    },
  };
}
