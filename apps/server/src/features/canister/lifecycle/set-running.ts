import type { AppContext } from '../../../context.ts';
import type { Actor } from '../../../http/actor.ts';
import { recordStatus } from '../balance/record-status.ts';
import { runAction } from '../core/run-action.ts';
import type { CanisterRow } from '../core/store.ts';

/** Starts or stops a canister; stopping waits for its open calls. Doing it twice is no error. */
export async function setRunning(
  ctx: AppContext,
  user: Actor,
  input: { canisterId: string; running: boolean },
): Promise<CanisterRow> {
  return runAction(ctx, user, input.canisterId, ({ id }) => switchRunning(ctx, user, id, input.running));
}

/** The same within an action that has claimed the canister. */
export async function switchRunning(
  ctx: AppContext,
  user: Actor,
  canisterId: string,
  running: boolean,
): Promise<CanisterRow> {
  if (running) await ctx.ic.start(canisterId);
  else await ctx.ic.stop(canisterId);
  return recordStatus(ctx, user, canisterId, {
    known: { status: running ? 'running' : 'stopped' },
    change: { kind: running ? 'started' : 'stopped', detail: null },
  });
}
