import type { AppContext } from '../../context.ts';
import { SWEEP_BATCH, sweepCutOff } from '../canister/payment/sweep-cut-off.ts';
import type { Sweep } from '../canister/payment/sweep-intents.ts';
import { endVersionChange } from './end-version-change.ts';
import { listAbandonedChanges } from './version-change-store.ts';

/** Finishes or undoes the upgrades and ways back that a crash or a vanished network has left behind. */
export async function sweepVersionChanges(ctx: AppContext): Promise<Sweep> {
  return sweepCutOff(ctx, {
    queue: await listAbandonedChanges(ctx.db, SWEEP_BATCH),
    what: 'An upgrade or a way back',
    end: async (user, canisterId) => {
      const ended = await endVersionChange(ctx, user, canisterId);
      return ended && { done: ended.isDone };
    },
  });
}
