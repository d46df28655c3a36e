/** Tags of DER that private keys are made of (X.690, 8). */
export const TAG = { integer: 0x02, octets: 0x04, oid: 0x06, sequence: 0x30 } as const;

/** One value of DER. */
export interface DerValue {
  readonly tag: number;
  readonly content: Uint8Array;
}

/** The values that stand one behind the other in some bytes; undefined when the bytes are cut off or no DER. */
export function derValues(bytes: Uint8Array): DerValue[] | undefined {
  const values: DerValue[] = [];
  let at = 0;
  while (at < bytes.length) {
    const tag = bytes[at] ?? 0;
    const first = bytes[at + 1];
    if (first === undefined) return undefined;
    let size = first;
    let start = at + 2;
    if (first >= 0x80) {
      const digits = first & 0x7f;
      // A key is short: more than two bytes of length are no key's.
      if (digits === 0 || digits > 2) return undefined;
      size = 0;
      for (const byte of bytes.subarray(start, start + digits)) size = size * 256 + byte;
      start += digits;
    }
    if (start + size > bytes.length) return undefined;
    values.push({ tag, content: bytes.subarray(start, start + size) });
    at = start + size;
  }
  return values;
}

/** What a sequence holds; undefined for anything else. */
export function derSequence(bytes: Uint8Array): DerValue[] | undefined {
  const [only, ...rest] = derValues(bytes) ?? [];
  return only?.tag === TAG.sequence && rest.length === 0 ? derValues(only.content) : undefined;
}
