import { replicaErrors } from '../errors.ts';
import type { Canister } from '../state/canister.ts';
import { type Account, paidBytes } from './account.ts';
import { reservationFor } from './reservation.ts';

/** Growth of a canister's memory that a message asks for. */
export interface Growth {
  readonly usedBytes: number;
  readonly newUsedBytes: number;
  /** Memory of the whole subnet before, in bytes. */
  readonly subnetBytes: bigint;
  /** What is left of the main balance when the message ends, without its prepaid cycles. */
  readonly balance: bigint;
  /** False for callbacks, which may use up what the freezing limit protects (interface specification). */
  readonly keepsFreezingLimit: boolean;
}

/**
 * The cycles to move to the reserved balance for it. Throws `ReplicaError` when the reserved cycles limit forbids that
 * or the balance would fall below the freezing limit.
 */
export function reserveForGrowth(account: Account, canister: Canister, growth: Growth): bigint {
  const { usedBytes, newUsedBytes, balance } = growth;
  const { settings, reservedCycles } = canister.record;
  const before = paidBytes(settings, usedBytes);
  const after = paidBytes(settings, newUsedBytes);
  if (after <= before) return 0n;
  const bytes = newUsedBytes - usedBytes;
  const reserved = reservationFor(account.fees, growth.subnetBytes, after - before);
  const total = reservedCycles + reserved;
  if (reserved > 0n && total > settings.reservedCyclesLimit) {
    throw replicaErrors.reservedLimitInMemoryGrow(canister.id, bytes, total, settings.reservedCyclesLimit);
  }
  const limit = account.reserveFor(newUsedBytes, settings, total);
  const needed = reserved + (growth.keepsFreezingLimit ? limit : 0n);
  if (needed > balance) throw replicaErrors.cyclesInMemoryGrow(canister.id, bytes, needed - balance);
  return reserved;
}
