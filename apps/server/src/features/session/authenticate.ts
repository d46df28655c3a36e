import type { AppContext } from '../../context.ts';
import type { Actor } from '../../http/actor.ts';
import { findSession, noteSessionUse } from './store.ts';

/** The time of last use is exact to this; calls of a session must not write a row each. */
const USE_STEP_MS = 60_000;

/** Finds the user of a bearer token, and notes that the session is in use; undefined when it is not valid (any more). */
export async function authenticate(ctx: AppContext, token: string): Promise<Actor | undefined> {
  const found = await findSession(ctx.db, token, ctx.config.sessionIdleMs);
  if (found === undefined) return undefined;
  if (Date.now() - found.lastUsedAt.getTime() >= USE_STEP_MS) {
    await ctx.transact((tx) => noteSessionUse(tx, token));
  }
  return found.actor;
}
