import { replicaErrors } from '@cannery/ic/errors';
import type { Canister } from '../state/canister.ts';
import type { CanisterSettings } from '../state/settings.ts';
import { type Account, paidBytes, untouchableCycles } from './account.ts';
import { GIB } from './amount.ts';
import type { Fees } from './fees.ts';

/** Above this much memory in use growth must be paid for in advance (dfinity/ic, `SUBNET_MEMORY_THRESHOLD`). */
export const SUBNET_MEMORY_THRESHOLD = 750n * GIB;
/** Memory of the subnet (dfinity/ic, `SUBNET_MEMORY_CAPACITY`). */
export const SUBNET_MEMORY_CAPACITY = 2_048n * GIB;
/** Time paid in advance on a full subnet, in seconds (`max_storage_reservation_period`). */
const MAX_PERIOD_SECONDS = 300_000_000n;

/**
 * Cycles that move to the reserved balance when `bytes` more bytes are taken while the subnet holds `usedBytes`:
 * nothing below the threshold, then rising with every byte to the whole period at capacity
 * (`storage_reservation_cycles` of dfinity/ic).
 */
export function reservationFor(fees: Fees, usedBytes: bigint, bytes: bigint): bigint {
  if (bytes <= 0n || usedBytes + bytes <= SUBNET_MEMORY_THRESHOLD) return 0n;
  return totalReservation(fees, usedBytes + bytes) - totalReservation(fees, usedBytes);
}

function totalReservation(fees: Fees, usedBytes: bigint): bigint {
  const usage = usedBytes < SUBNET_MEMORY_CAPACITY ? usedBytes : SUBNET_MEMORY_CAPACITY;
  if (usage <= SUBNET_MEMORY_THRESHOLD) return 0n;
  const above = usage - SUBNET_MEMORY_THRESHOLD;
  const seconds = (MAX_PERIOD_SECONDS * above) / (SUBNET_MEMORY_CAPACITY - SUBNET_MEMORY_THRESHOLD);
  // The area of a triangle: memory above the threshold times half the period.
  return fees.memory(above, seconds / 2n);
}

/** Growth of a canister's memory that a message asks for. */
interface Growth {
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

/** New settings of a canister, and what it holds when they are to take effect. */
interface AllocationChange {
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
