import { replicaErrors } from '../errors.ts';
import type { CanisterSettings } from '../state/settings.ts';
import { paidBytes, untouchableCycles } from './account.ts';
import type { Fees } from './fees.ts';
import { reservationFor } from './reservation.ts';

/** New settings of a canister, and what it holds when they are to take effect. */
export interface AllocationChange {
  readonly before: CanisterSettings;
  readonly after: CanisterSettings;
  /** Memory the canister uses, in bytes. */
  readonly usedBytes: number;
  readonly cycles: bigint;
  readonly reservedCycles: bigint;
  /** Memory of the whole subnet before, in bytes. */
  readonly subnetBytes: bigint;
}

/**
 * The cycles to move to the reserved balance for the memory that new settings set aside. Throws `ReplicaError` when
 * they raise an allocation beyond what the canister can pay for; a raised freezing threshold may freeze it (dfinity/ic,
 * `validate_canister_settings`).
 */
export function reserveForSettings(fees: Fees, change: AllocationChange): bigint {
  const { before, after, usedBytes, cycles, reservedCycles } = change;
  if (after.reservedCyclesLimit < reservedCycles) {
    throw replicaErrors.reservedLimitTooLow(reservedCycles, after.reservedCyclesLimit);
  }
  const growth = paidBytes(after, usedBytes) - paidBytes(before, usedBytes);
  const reserved = reservationFor(fees, change.subnetBytes, growth);
  if (reserved > 0n && reservedCycles + reserved > after.reservedCyclesLimit) {
    throw replicaErrors.reservedLimitInMemoryAllocation(
      after.memoryAllocation,
      reservedCycles + reserved,
      after.reservedCyclesLimit,
    );
  }
  const needed = reserved + untouchableCycles(fees, after, usedBytes, reservedCycles + reserved);
  if (needed <= cycles) return reserved;
  const missing = needed - cycles;
  if (after.computeAllocation > before.computeAllocation) {
    throw replicaErrors.cyclesInComputeAllocation(after.computeAllocation, missing);
  }
  if (after.memoryAllocation > before.memoryAllocation || reserved > cycles) {
    throw replicaErrors.cyclesInMemoryAllocation(after.memoryAllocation, missing);
  }
  return reserved;
}
