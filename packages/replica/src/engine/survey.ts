import { standingAt } from '../cycles/rent.ts';
import type { Environment } from '../execution/environment.ts';
import type { CanisterFigures } from '../messages.ts';
import { idKey } from '../state/canister-id.ts';
import { consumedInAll } from '../state/consumed-cycles.ts';
import { memoryUsage } from '../state/memory-usage.ts';

/** Canisters that are looked at for one question. */
const MOST_SURVEYED = 50;

/**
 * How these canisters are doing, the first fifty; those that are not there are left out. Nothing of what they hold, were sent or log is
 * in it.
 */
export function surveyCanisters(env: Environment, ids: readonly Uint8Array[]): readonly CanisterFigures[] {
  const now = env.clock.now();
  return ids.slice(0, MOST_SURVEYED).flatMap((id) => {
    const canister = env.state.canisters.get(idKey(id));
    if (!canister) return [];
    const { record, queue } = canister;
    return {
      id: record.id,
      status: record.status,
      moduleHash: record.code?.moduleHash,
      memoryBytes: memoryUsage(canister),
      cycles: standingAt(env.fees, canister, now).cycles,
      consumedCycles: consumedInAll(record.consumed),
      waiting: queue.length,
      queries: Number(record.queryStatistics.calls),
    };
  });
}
