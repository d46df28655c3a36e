import type { AppContext } from '../../context.ts';
import { repeat, type Repeated } from '../../jobs/repeat.ts';
import { forgetExpired } from './store.ts';

const PAUSE_MS = 10 * 60_000;

/** Deletes expired sessions, tokens and sign-ins now and then. */
export function startCleaner(ctx: AppContext): Repeated {
  return repeat(() => ctx.transact((tx) => forgetExpired(tx, ctx.config.sessionIdleMs)), {
    pauseMs: PAUSE_MS,
    failed: (error) => ctx.log.warn({ err: error }, 'Expired sessions could not be deleted'),
  });
}
