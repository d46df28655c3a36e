import type { AppContext } from '../../../context.ts';
import { SWEEP_BATCH, sweepCutOff } from '../../canister/payment/sweep-cut-off.ts';
import type { Sweep } from '../../canister/payment/sweep-intents.ts';
import { endUpgrade } from './end-upgrade.ts';
import { listCutOff } from '../store/upgrade-store.ts';

/** Ends upgrades by runs of deploys, and their ways back, that a crash or a vanished network has left in the middle. */
export async function sweepUpgrades(ctx: AppContext): Promise<Sweep> {
  return sweepCutOff(ctx, {
    queue: await listCutOff(ctx.db, SWEEP_BATCH),
    what: 'An upgrade by a deploy',
    end: async (user, canisterId) => {
      const ended = await endUpgrade(ctx, user, canisterId);
      return ended && { outcome: ended.outcome };
    },
  });
}
