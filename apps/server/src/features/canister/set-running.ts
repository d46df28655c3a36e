import type { AppContext } from '../../context.ts';
import type { Actor } from '../../http/actor.ts';
import { recordStatus } from './record-status.ts';
import { runAction } from './run-action.ts';
import type { CanisterRow } from './store.ts';

/** Starts or stops a canister; stopping waits for its open calls. Doing it twice is no error. */
export async function setRunning(
  ctx: AppContext,
  user: Actor,
  input: { canisterId: string; running: boolean },
): Promise<CanisterRow> {
  return runAction(ctx, user, input.canisterId, async (canister) => {
    if (input.running) await ctx.ic.start(canister.id);
    else await ctx.ic.stop(canister.id);
    return recordStatus(ctx, user, canister.id, {
      known: { status: input.running ? 'running' : 'stopped' },
      change: { kind: input.running ? 'started' : 'stopped', detail: null },
    });
  });
}
