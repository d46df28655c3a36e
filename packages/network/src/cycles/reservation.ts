import type { Fees } from './fees.ts';
import { GIB } from './units.ts';

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
