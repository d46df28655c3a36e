import { API_TOKEN_PREFIX } from '@cannery/contract';
import type { AppContext, Caller } from '../../context.ts';
import { authenticate } from '../session/authenticate.ts';
import { findSession } from '../session/store.ts';
import { findApiToken, noteApiTokenUse } from './store.ts';

/** The time of last use is exact to this; calls by a token must not write a row each. */
const USE_STEP_MS = 60_000;

/**
 * Who calls with a bearer token, which is that of a session or an API token, and notes that it is in use; undefined when
 * it is not valid (any more).
 */
export async function findCaller(ctx: AppContext, bearer: string): Promise<Caller | undefined> {
  if (!bearer.startsWith(API_TOKEN_PREFIX)) return authenticate(ctx, bearer);
  const found = await findApiToken(ctx.db, bearer);
  if (found === undefined) return undefined;
  if (Date.now() - (found.lastUsedAt?.getTime() ?? 0) >= USE_STEP_MS) {
    await ctx.transact((tx) => noteApiTokenUse(tx, bearer));
  }
  ctx.security.noteUse('api_token_used', { token: found.id, user: found.caller.id });
  return found.caller;
}

/** Whether a bearer token that a user has called with is still valid. That is no use of it. */
export async function isStillValid(
  ctx: Pick<AppContext, 'db' | 'config'>,
  { bearer, userId }: { bearer: string; userId: string },
): Promise<boolean> {
  const user = bearer.startsWith(API_TOKEN_PREFIX)
    ? (await findApiToken(ctx.db, bearer))?.caller
    : (await findSession(ctx.db, bearer, ctx.config.sessionIdleMs))?.actor;
  return user?.id === userId;
}
