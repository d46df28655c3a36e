import { type Budget, BudgetError } from '../../budget.ts';

/** The input was not the CBOR that was asked for; the message says why in words a client may see. */
export class CborError extends Error {
  override readonly name = 'CborError';
}

/** What stands next in the input. A natural number is one that is not negative. */
export type CborKind = 'natural' | 'negative' | 'bytes' | 'text' | 'array' | 'map' | 'tag' | 'simple' | 'end';

const KINDS: readonly CborKind[] = ['natural', 'negative', 'bytes', 'text', 'array', 'map', 'tag', 'simple'];
/** Numbers of the kinds, in the top three bits of a head (RFC 8949, 3.1). */
const [NATURAL, NEGATIVE, BYTES, TEXT, ARRAY, MAP, TAG, SIMPLE] = [0, 1, 2, 3, 4, 5, 6, 7];
/** In the lower five bits: the length comes piece by piece, until `BREAK` (RFC 8949, 3.2). */
const INDEFINITE = 31;
const BREAK = 0xff;
/** The tag that marks a byte string as CBOR (RFC 8949, 3.4.6). */
const SELF_DESCRIBED = 55_799;
/** Values of one byte (RFC 8949, 3.3). */
const SIMPLE_VALUES = new Map<number, unknown>([
  [0xf4, false],
  [0xf5, true],
  [0xf6, null],
  [0xf7, undefined],
]);

const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/**
 * Reads CBOR from front to back, spending a budget before anything is made. Who knows what has to come asks for exactly
 * that and makes no values of anything else. All methods throw `CborError`. Bytes are views of the input.
 */
export class CborReader {
  readonly #bytes: Uint8Array;
  readonly #view: DataView;
  readonly #budget: Budget;
  #at = 0;

  constructor(bytes: Uint8Array, budget: Budget) {
    this.#bytes = bytes;
    this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    this.#budget = budget;
  }

  /** The kind of the next value; marks of self-described CBOR are passed over. */
  kind(): CborKind {
    for (;;) {
      const head = this.#bytes[this.#at];
      if (head === undefined) return 'end';
      if (head >> 5 !== TAG) return KINDS[head >> 5] ?? 'end';
      if (this.#number(TAG) !== SELF_DESCRIBED) throw malformed('it has a tag that is not known');
      this.#spend(1, 0);
    }
  }

  /** A number that is not negative; a bigint above 2^53 - 1. */
  natural(): number | bigint {
    this.#begin('natural');
    return this.#number(NATURAL);
  }

  bytes(): Uint8Array {
    this.#begin('bytes');
    return this.#take(this.#number(BYTES));
  }

  /** Text of well-formed UTF-8. */
  text(): string {
    this.#begin('text');
    const bytes = this.#take(this.#number(TEXT));
    try {
      return decoder.decode(bytes);
    } catch {
      throw malformed('it has text that is not UTF-8');
    }
  }

  /** Calls `item` before each item, which has to read it; `announced` gets how many there are before any is read. */
  array(item: () => void, announced?: (count: number) => void): void {
    this.#begin('array');
    this.#items(ARRAY, item, 1, announced);
  }

  /** Calls `entry` before each entry of a map, which has to read a key and a value. */
  map(entry: () => void): void {
    this.#begin('map');
    this.#items(MAP, entry, 2);
  }

  /** Any value, as `decodeCbor` makes it; keys of maps are text, unless `useMaps` asks for `Map`s. */
  value(useMaps: boolean): unknown {
    switch (this.kind()) {
      case 'natural':
        return this.natural();
      case 'negative':
        return this.#negative();
      case 'bytes':
        // A copy: a view would keep the whole input with it.
        return new Uint8Array(this.bytes());
      case 'text':
        return this.text();
      case 'array': {
        const items: unknown[] = [];
        this.array(() => items.push(this.value(useMaps)));
        return items;
      }
      case 'map':
        return useMaps ? this.#asMap() : this.#asObject();
      default:
        return this.#simple();
    }
  }

  /** Nothing may follow. */
  end(): void {
    if (this.#at !== this.#bytes.length) throw malformed('too many bytes');
  }

  #asObject(): unknown {
    // Without a prototype: names that every object has are names like any others.
    const fields = Object.create(null) as Record<string, unknown>;
    this.map(() => {
      const key = this.text();
      if (Object.hasOwn(fields, key)) throw repeated();
      fields[key] = this.value(false);
    });
    return fields;
  }

  #asMap(): unknown {
    const fields = new Map<unknown, unknown>();
    this.map(() => {
      const key = this.value(true);
      if (fields.has(key)) throw repeated();
      fields.set(key, this.value(true));
    });
    return fields;
  }

  #negative(): number | bigint {
    this.#spend(1, 0);
    const value = this.#number(NEGATIVE);
    return typeof value === 'number' && value < Number.MAX_SAFE_INTEGER ? -1 - value : -1n - BigInt(value);
  }

  #simple(): unknown {
    this.#spend(1, 0);
    const head = this.#bytes[this.#at] ?? BREAK;
    if (!SIMPLE_VALUES.has(head)) throw malformed('unexpected end of data, or a number with a fraction');
    this.#at += 1;
    return SIMPLE_VALUES.get(head);
  }

  /** Something of `kind` must come now. */
  #begin(kind: CborKind): void {
    const found = this.kind();
    if (found === 'end') throw malformed('unexpected end of data');
    if (found !== kind) throw malformed(`expected ${kind} but found ${found}`);
    this.#spend(1, 0);
  }

  #items(type: number, read: () => void, valuesOfOne: number, announced?: (count: number) => void): void {
    this.#enter();
    if (((this.#bytes[this.#at] ?? 0) & 0x1f) === INDEFINITE) {
      this.#at += 1;
      for (let count = 1; this.#bytes[this.#at] !== BREAK; count += 1) {
        announced?.(count);
        read();
      }
      this.#at += 1;
    } else {
      const count = Number(this.#number(type));
      announced?.(count);
      // Each value takes a byte at least.
      if (count * valuesOfOne > this.#bytes.length - this.#at) throw malformed('unexpected end of data');
      for (let index = 0; index < count; index += 1) read();
    }
    this.#budget.leave();
  }

  /** The number in the head of a value of `type`, and steps over the head. */
  #number(type: number | undefined): number | bigint {
    const head = this.#bytes[this.#at] ?? (SIMPLE ?? 0) << 5;
    const info = head & 0x1f;
    const digits = info < 24 ? 0 : 1 << (info - 24);
    const start = this.#at + 1;
    if (head >> 5 !== type || info > 27) throw malformed('a length that is not supported');
    if (start + digits > this.#bytes.length) throw malformed('unexpected end of data');
    this.#at = start + digits;
    if (digits === 0) return info;
    if (digits === 1) return this.#view.getUint8(start);
    if (digits === 2) return this.#view.getUint16(start);
    if (digits === 4) return this.#view.getUint32(start);
    const value = this.#view.getBigUint64(start);
    return value <= Number.MAX_SAFE_INTEGER ? Number(value) : value;
  }

  #take(length: number | bigint): Uint8Array {
    const end = this.#at + Number(length);
    if (end > this.#bytes.length) throw malformed('unexpected end of data');
    this.#spend(0, Number(length));
    const taken = this.#bytes.subarray(this.#at, end);
    this.#at = end;
    return taken;
  }

  #spend(values: number, bytes: number): void {
    try {
      this.#budget.spendValues(values);
      this.#budget.spendBytes(bytes);
    } catch (error) {
      throw error instanceof BudgetError ? malformed(error.message) : error;
    }
  }

  #enter(): void {
    try {
      this.#budget.enter();
    } catch (error) {
      throw error instanceof BudgetError ? malformed(`nested too deeply: ${error.message}`) : error;
    }
  }
}

function malformed(reason: string): CborError {
  return new CborError(`not valid CBOR: ${reason}`);
}

function repeated(): CborError {
  return malformed('found repeat map key');
}
