const encoder = new TextEncoder();

/** The bytes of `text` in UTF-8. */
export function utf8(text: string): Uint8Array {
  return encoder.encode(text);
}

/** Lower-case hexadecimal digits. */
export function hex(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('hex');
}

/** Whether both hold the same bytes; not in constant time. */
export function equalBytes(a: Uint8Array, b: Uint8Array): boolean {
  return a.length === b.length && Buffer.compare(a, b) === 0;
}

const FOUR_DIGITS = 1n << 28n;

/** Shortest unsigned LEB128 form, as times, reject codes and hashed numbers are written. */
export function encodeLeb128(value: bigint | number): Uint8Array {
  const bytes: number[] = [];
  let rest = BigInt(value);
  // Big numbers are slow, so they are taken apart 28 bits, four digits, at a time.
  for (; rest >= FOUR_DIGITS; rest >>= 28n) {
    const low = Number(rest & (FOUR_DIGITS - 1n));
    bytes.push(
      (low & 0x7f) | 0x80,
      ((low >>> 7) & 0x7f) | 0x80,
      ((low >>> 14) & 0x7f) | 0x80,
      (low >>> 21) | 0x80,
    );
  }
  let last = Number(rest);
  for (; last >= 0x80; last >>>= 7) bytes.push((last & 0x7f) | 0x80);
  bytes.push(last);
  return Uint8Array.from(bytes);
}

/** Reads an unsigned LEB128 number that fills `bytes` completely. */
export function decodeLeb128(bytes: Uint8Array): bigint {
  let value = 0n;
  for (let index = bytes.length - 1; index >= 0; index -= 1) {
    value = (value << 7n) | BigInt((bytes[index] ?? 0) & 0x7f);
  }
  return value;
}
