import { CandidFormatError } from './candid-error.ts';

/** Type opcodes of the Candid specification. Primitive types are these numbers; others index the type table. */
export const Op = {
  null: -1,
  bool: -2,
  nat: -3,
  int: -4,
  nat8: -5,
  nat16: -6,
  float32: -13,
  float64: -14,
  text: -15,
  reserved: -16,
  empty: -17,
  opt: -18,
  vec: -19,
  record: -20,
  variant: -21,
  func: -22,
  service: -23,
  principal: -24,
} as const;

interface Field {
  readonly hash: number;
  readonly type: number;
}
/** One entry of the type table. `fields` of opt and vec hold the content type only. */
export interface TableEntry {
  readonly op: number;
  readonly fields: readonly Field[];
}

const decoder = new TextDecoder('utf-8', { fatal: true });

/** Reads the bytes of a Candid message in order. Every method throws `CandidFormatError` at the end of input. */
export class CandidReader {
  readonly bytes: Uint8Array;
  offset: number;

  constructor(bytes: Uint8Array, offset = 0) {
    this.bytes = bytes;
    this.offset = offset;
  }

  byte(): number {
    const value = this.bytes[this.offset];
    if (value === undefined) throw new CandidFormatError('the message ends too early');
    this.offset += 1;
    return value;
  }

  take(length: number): Uint8Array {
    const end = this.offset + length;
    if (end > this.bytes.length) throw new CandidFormatError('the message ends too early');
    const part = this.bytes.subarray(this.offset, end);
    this.offset = end;
    return part;
  }

  /** An unsigned LEB128 number below 2^32: a length, a count or a field hash. */
  length(): number {
    let value = 0;
    for (let shift = 0; shift < 35; shift += 7) {
      const byte = this.byte();
      value += (byte & 0x7f) * 2 ** shift;
      if (byte < 0x80 && value < 2 ** 32) return value;
    }
    throw new CandidFormatError('a length is too large');
  }

  /** A signed LEB128 number of at most 32 bits: a type. */
  type(): number {
    let value = 0;
    for (let shift = 0; shift < 35; shift += 7) {
      const byte = this.byte();
      value += (byte & 0x7f) * 2 ** shift;
      if (byte < 0x80) return byte & 0x40 ? value - 2 ** (shift + 7) : value;
    }
    throw new CandidFormatError('a type index is too large');
  }

  /** Passes over a LEB128 number of any size. */
  skipNumber(): void {
    while (this.byte() >= 0x80);
  }

  text(): string {
    try {
      return decoder.decode(this.take(this.length()));
    } catch (error) {
      if (error instanceof CandidFormatError) throw error;
      throw new CandidFormatError('a text is not valid UTF-8');
    }
  }

  principal(): Uint8Array {
    if (this.byte() !== 1) throw new CandidFormatError('opaque references are not supported');
    return this.take(this.length());
  }
}
