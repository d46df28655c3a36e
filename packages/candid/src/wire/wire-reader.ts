import { CandidError } from '../errors.ts';

/** Bytes of a number of 64 bits. */
const LONGEST_COUNT = 10;

const decoder = new TextDecoder('utf-8', { fatal: true });

/** Reads the parts that an encoded Candid message is made of, one after the other. Every method throws CandidError. */
export class WireReader {
  readonly bytes: Uint8Array;
  #offset = 0;

  constructor(bytes: Uint8Array) {
    this.bytes = bytes;
  }

  /** Bytes that have been read. */
  get offset(): number {
    return this.#offset;
  }

  /** Bytes that have not been read. */
  get left(): number {
    return this.bytes.length - this.#offset;
  }

  take(count: number): Uint8Array {
    if (count > this.left) throw new CandidError('the message ends in the middle of a value');
    const start = this.#offset;
    this.#offset += count;
    return this.bytes.subarray(start, this.#offset);
  }

  byte(): number {
    const byte = this.bytes[this.#offset];
    if (byte === undefined) throw new CandidError('the message ends in the middle of a value');
    this.#offset += 1;
    return byte;
  }

  /** An unsigned LEB128 number that counts or points to something; one beyond 2^53 is not exact, only large. */
  count(): number {
    return this.#number().value;
  }

  /** A signed LEB128 number that names a type. */
  typeCode(): number {
    const { value, last, factor } = this.#number();
    return (last & 0x40) === 0 ? value : value - factor * 128;
  }

  #number(): { value: number; last: number; factor: number } {
    let value = 0;
    let factor = 1;
    for (let index = 0; index < LONGEST_COUNT; index++) {
      const last = this.byte();
      value += (last & 0x7f) * factor;
      if (last < 0x80) return { value, last, factor };
      factor *= 128;
    }
    throw new CandidError('a number of items or bytes is too large');
  }

  /** Passes over a number of any length. @returns its bytes */
  skipNumber(): number {
    const start = this.#offset;
    while (this.byte() >= 0x80);
    return this.#offset - start;
  }

  flag(): boolean {
    const flag = this.byte();
    if (flag > 1) throw new CandidError('a flag is neither 0 nor 1');
    return flag === 1;
  }

  text(): string {
    const bytes = this.take(this.count());
    try {
      return decoder.decode(bytes);
    } catch {
      throw new CandidError('a text is not valid UTF-8');
    }
  }

  /** The bytes of a principal. */
  principal(): Uint8Array {
    if (!this.flag()) throw new CandidError('opaque references are not supported');
    return this.take(this.count());
  }
}
