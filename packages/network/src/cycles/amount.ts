const MAX_U64 = (1n << 64n) - 1n;

/** A 128-bit amount from the two halves the system API passes; each may arrive as a signed number. */
export function cyclesOf(high: bigint, low: bigint): bigint {
  return (BigInt.asUintN(64, high) << 64n) | BigInt.asUintN(64, low);
}

/** The amount as 16 little-endian bytes. */
export function cyclesBytes(amount: bigint): Uint8Array {
  const bytes = new Uint8Array(16);
  const view = new DataView(bytes.buffer);
  view.setBigUint64(0, amount & MAX_U64, true);
  view.setBigUint64(8, amount >> 64n, true);
  return bytes;
}

export function fitsU64(amount: bigint): boolean {
  return amount <= MAX_U64;
}

export function least(a: bigint, b: bigint): bigint {
  return a < b ? a : b;
}
