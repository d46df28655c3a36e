/** Units the fee schedules are stated in. */
export const SECONDS_PER_DAY = 86_400n;
export const GIB = 1n << 30n;

const MAX_U64 = (1n << 64n) - 1n;
/** The largest amount of cycles there is a representation for (`Cycles` of dfinity/ic is a `u128`). */
export const MAX_CYCLES = (1n << 128n) - 1n;

/** A 128-bit amount from the two halves the system API passes; each may arrive as a signed number. */
export function cyclesOf(high: bigint, low: bigint): bigint {
  return (BigInt.asUintN(64, high) << 64n) | BigInt.asUintN(64, low);
}

/** The amount as 16 little-endian bytes; a larger one than fits is shown as the largest that does. */
export function cyclesBytes(amount: bigint): Uint8Array {
  const shown = least(amount, MAX_CYCLES);
  const bytes = new Uint8Array(16);
  const view = new DataView(bytes.buffer);
  view.setBigUint64(0, shown & MAX_U64, true);
  view.setBigUint64(8, shown >> 64n, true);
  return bytes;
}

/** Whether the system API functions for 64-bit amounts can return it. */
export function fitsU64(amount: bigint): boolean {
  return amount <= MAX_U64;
}

/** The smaller of two amounts. */
export function least(a: bigint, b: bigint): bigint {
  return a < b ? a : b;
}
