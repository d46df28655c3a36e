/** The message is not well-formed Candid, or takes too much work to read. */
export class CandidWireError extends Error {
  override readonly name = 'CandidWireError';
}

/** A type of the wire: a primitive (its negative code) or a place in the type table. */
export type WireType = number;

export type TableEntry =
  | { readonly kind: 'opt' | 'vec'; readonly of: WireType }
  | {
      readonly kind: 'record' | 'variant';
      readonly fields: readonly { readonly hash: number; readonly type: WireType }[];
    }
  | { readonly kind: 'function' | 'service' };

const CODE = { opt: -18, vec: -19, record: -20, variant: -21, func: -22, service: -23 } as const;
const NAT8 = -5;
/** Primitive codes of the Candid specification with their size in bytes; those of variable size are below. */
const FIXED_SIZES: Readonly<Record<number, number>> = {
  [-1]: 0,
  [-2]: 1,
  [NAT8]: 1,
  [-6]: 2,
  [-7]: 4,
  [-8]: 8,
  [-9]: 1,
  [-10]: 2,
  [-11]: 4,
  [-12]: 8,
  [-13]: 4,
  [-14]: 8,
  [-16]: 0,
};
const NAT = -3;
const INT = -4;
const TEXT = -15;
const PRINCIPAL = -24;
/**
 * Values in one message; the longest argument that makes sense has 1,000 globals. The general decoder, which runs on what
 * passes here, takes some 30 us for each.
 */
const MAX_STEPS = 10_000;
const MAX_DEPTH = 64;
/**
 * Bytes of a number without a bound of its type: amounts have 19 at most (128 bits). The general decoder takes time with
 * the square of them.
 */
const MAX_NUMBER_BYTES = 100;
/** Types and fields that one message declares; arguments have some fifty, and the general decoder 100 ms for these. */
const MAX_DECLARED = 1_000;

/** Reads a Candid message just far enough to find where its values begin and end. */
export class CandidWire {
  readonly bytes: Uint8Array;
  position = 0;
  readonly table: TableEntry[] = [];
  #steps = 0;
  #declared = 0;

  constructor(bytes: Uint8Array) {
    this.bytes = bytes;
  }

  /** Reads magic number, type table and argument types, and returns the latter. */
  header(): WireType[] {
    if (Buffer.from(this.bytes.subarray(0, 4)).toString('latin1') !== 'DIDL') {
      throw new CandidWireError('Wrong magic number');
    }
    this.position = 4;
    const types = this.#declaredCount();
    for (let i = 0; i < types; i++) this.table.push(this.#entry());
    return Array.from({ length: this.#declaredCount() }, () => this.signed());
  }

  /** The entry of the type table behind a type, nothing for primitives. */
  entry(type: WireType): TableEntry | undefined {
    if (type < 0) return undefined;
    const entry = this.table[type];
    if (!entry) throw new CandidWireError('Type index out of range');
    return entry;
  }

  isBlob(type: WireType): boolean {
    const entry = this.entry(type);
    return entry?.kind === 'vec' && entry.of === NAT8;
  }

  /** Moves past one value. */
  skip(type: WireType, depth = 0): void {
    this.#steps += 1;
    if (this.#steps > MAX_STEPS || depth > MAX_DEPTH) throw new CandidWireError('Message is too complex');
    const entry = this.entry(type);
    if (!entry) this.#skipPrimitive(type);
    else if (entry.kind === 'record') for (const field of entry.fields) this.skip(field.type, depth + 1);
    else if (entry.kind === 'variant') this.#skipVariant(entry.fields, depth);
    else if (entry.kind === 'opt') this.#skipOption(entry.of, depth);
    else if (entry.kind === 'vec') this.#skipVector(entry.of, depth);
    else this.#skipReference(entry.kind);
  }

  /** An unsigned LEB128 number below 2^53. */
  unsigned(): number {
    let value = 0;
    let scale = 1;
    for (;;) {
      const byte = this.#byte();
      value += (byte & 0x7f) * scale;
      if (!Number.isSafeInteger(value)) throw new CandidWireError('Number is too large');
      if (byte < 0x80) return value;
      scale *= 128;
    }
  }

  /** A signed LEB128 number of at most five bytes. */
  signed(): number {
    let value = 0;
    for (let shift = 0; shift < 35; shift += 7) {
      const byte = this.#byte();
      value += (byte & 0x7f) * 2 ** shift;
      if (byte < 0x80) return byte & 0x40 ? value - 2 ** (shift + 7) : value;
    }
    throw new CandidWireError('Number is too large');
  }

  /** Moves on by `count` bytes and returns where they begin. */
  advance(count: number): number {
    const start = this.position;
    if (start + count > this.bytes.length) throw new CandidWireError('Unexpected end of message');
    this.position = start + count;
    return start;
  }

  #byte(): number {
    return this.bytes[this.advance(1)] ?? 0;
  }

  /** The length of a list in the type table. */
  #declaredCount(): number {
    const count = this.unsigned();
    this.#declared += count;
    if (this.#declared > MAX_DECLARED) throw new CandidWireError('Message is too complex');
    return count;
  }

  #entry(): TableEntry {
    const code = this.signed();
    if (code === CODE.opt || code === CODE.vec) {
      return { kind: code === CODE.opt ? 'opt' : 'vec', of: this.signed() };
    }
    if (code === CODE.record || code === CODE.variant) {
      const fields = Array.from({ length: this.#declaredCount() }, () => ({
        hash: this.unsigned(),
        type: this.signed(),
      }));
      return { kind: code === CODE.record ? 'record' : 'variant', fields };
    }
    if (code === CODE.func) {
      for (let list = 0; list < 2; list++) for (let i = this.#declaredCount(); i > 0; i--) this.signed();
      this.advance(this.unsigned());
      return { kind: 'function' };
    }
    if (code === CODE.service) {
      for (let i = this.#declaredCount(); i > 0; i--) {
        this.advance(this.unsigned());
        this.signed();
      }
      return { kind: 'service' };
    }
    throw new CandidWireError('Unknown type');
  }

  #skipPrimitive(type: WireType): void {
    const size = FIXED_SIZES[type];
    if (size !== undefined) this.advance(size);
    else if (type === NAT || type === INT) this.#skipNumber();
    else if (type === TEXT) this.advance(this.unsigned());
    else if (type === PRINCIPAL) this.#skipPrincipal();
    else throw new CandidWireError('Unknown primitive type');
  }

  #skipNumber(): void {
    const end = this.position + MAX_NUMBER_BYTES;
    while (this.#byte() >= 0x80) {
      if (this.position === end) throw new CandidWireError('Number is too large');
    }
  }

  #skipPrincipal(): void {
    if (this.#byte() !== 1) throw new CandidWireError('Opaque references are not supported');
    this.advance(this.unsigned());
  }

  /** A function is the principal of its canister and its name, a service the principal alone. */
  #skipReference(kind: 'function' | 'service'): void {
    if (kind === 'function' && this.#byte() !== 1) {
      throw new CandidWireError('Opaque references are not supported');
    }
    this.#skipPrincipal();
    if (kind === 'function') this.advance(this.unsigned());
  }

  #skipVariant(fields: readonly { readonly type: WireType }[], depth: number): void {
    const field = fields[this.unsigned()];
    if (!field) throw new CandidWireError('Variant out of range');
    this.skip(field.type, depth + 1);
  }

  #skipOption(of: WireType, depth: number): void {
    if (this.#byte() !== 0) this.skip(of, depth + 1);
  }

  #skipVector(of: WireType, depth: number): void {
    const length = this.unsigned();
    if (of === NAT8) this.advance(length);
    else for (let i = 0; i < length; i++) this.skip(of, depth + 1);
  }
}
