import type { Budget } from '../../budget.ts';
import { CandidFormatError } from './candid-error.ts';
import { CandidReader, Op, type TableEntry } from './candid-reader.ts';

const MAGIC = [0x44, 0x49, 0x44, 0x4c];
/** Bytes a value of a primitive type takes. Types not listed here have their own length. */
const PRIMITIVE_SIZE: Readonly<Record<number, number>> = {
  [Op.null]: 0,
  [Op.bool]: 1,
  [Op.nat8]: 1,
  [Op.nat16]: 2,
  [-7]: 4,
  [-8]: 8,
  [-9]: 1,
  [-10]: 2,
  [-11]: 4,
  [-12]: 8,
  [Op.float32]: 4,
  [Op.float64]: 8,
  [Op.reserved]: 0,
};

/**
 * A Candid message with its type table, read value by value. Made for the fixed types of the gateway protocol:
 * it reads the fields it is asked for and passes over everything else, whatever its type. Everything it reads is spent
 * from a budget, entries of the type table and values that take no bytes included; `BudgetError` passes on.
 */
export class CandidMessage {
  readonly reader: CandidReader;
  /** Types of the values in the message. */
  readonly types: readonly number[];
  readonly #table: readonly TableEntry[];
  readonly #tableEnd: number;
  readonly #budget: Budget;

  constructor(bytes: Uint8Array, budget: Budget) {
    budget.spendBytes(bytes.length);
    const reader = new CandidReader(bytes);
    if (!MAGIC.every((byte) => reader.byte() === byte))
      throw new CandidFormatError('the message is not Candid');
    this.#budget = budget;
    this.reader = reader;
    this.#table = this.list(() => this.#readEntry());
    this.#tableEnd = reader.offset;
    this.types = this.list(() => reader.type());
  }

  /** Reads a length, and as many items; throws `CandidFormatError` where they are more than `most`. */
  list<T>(read: () => T, most = Number.POSITIVE_INFINITY): T[] {
    const length = this.reader.length();
    if (length > most) throw new CandidFormatError(`a list has more than ${most} items`);
    this.#budget.spendValues(length);
    return Array.from({ length }, read);
  }

  /** The table entry of `type` if it is built with `op`. */
  entry(type: number, op: number): TableEntry | undefined {
    const entry = this.#table[type];
    return entry?.op === op ? entry : undefined;
  }

  /** The content type of an opt or vec, or undefined if `type` is something else. */
  contentType(type: number, op: typeof Op.opt | typeof Op.vec): number | undefined {
    return this.entry(type, op)?.fields[0]?.type;
  }

  /** Reads a record: calls the handler of each field by its hash, and passes over fields without one. */
  record(type: number, handlers: ReadonlyMap<number, (type: number) => void>): void {
    const entry = this.entry(type, Op.record);
    if (!entry) throw new CandidFormatError('a record was expected');
    this.#budget.spendValues(entry.fields.length);
    for (const field of entry.fields) {
      const handle = handlers.get(field.hash);
      if (handle) handle(field.type);
      else this.skip(field.type);
    }
  }

  /** Reads an opt, if `type` is one, and returns whether a value of the given content type follows. */
  option(type: number): number | undefined {
    const content = this.contentType(type, Op.opt);
    if (content === undefined) {
      this.skip(type);
      return undefined;
    }
    return this.reader.byte() === 1 ? content : undefined;
  }

  blob(type: number): Uint8Array {
    if (this.contentType(type, Op.vec) !== Op.nat8) throw new CandidFormatError('a blob was expected');
    return this.reader.take(this.reader.length());
  }

  text(type: number): string {
    if (type !== Op.text) throw new CandidFormatError('a text was expected');
    return this.reader.text();
  }

  /** A message with the single value of `type` whose bytes are `value`, as they are in this message. */
  quote(type: number, value: Uint8Array): Uint8Array {
    const table = this.reader.bytes.subarray(0, this.#tableEnd);
    this.#budget.spendBytes(table.length + value.length);
    return Buffer.concat([table, Uint8Array.of(1), encodeType(type), value]);
  }

  /** Passes over one value and returns its bytes. */
  skip(type: number): Uint8Array {
    const start = this.reader.offset;
    this.#pass(type);
    return this.reader.bytes.subarray(start, this.reader.offset);
  }

  #pass(type: number): void {
    this.#budget.spendValues();
    const size = PRIMITIVE_SIZE[type];
    if (size !== undefined) this.reader.take(size);
    else if (type === Op.nat || type === Op.int) this.reader.skipNumber();
    else if (type === Op.text) this.reader.take(this.reader.length());
    else if (type === Op.principal) this.reader.principal();
    else {
      this.#budget.enter();
      this.#passComposite(type);
      this.#budget.leave();
    }
  }

  #passComposite(type: number): void {
    const entry = this.#table[type];
    if (!entry) throw new CandidFormatError('a value of an unknown type cannot be read');
    const { op, fields } = entry;
    const content = fields[0]?.type ?? Op.empty;
    switch (op) {
      case Op.opt:
        if (this.reader.byte() === 1) this.#pass(content);
        return;
      case Op.vec: {
        const length = this.reader.length();
        const size = PRIMITIVE_SIZE[content] ?? 0;
        if (size === 0) this.#budget.spendValues(length);
        if (size > 0) this.reader.take(length * size);
        else for (let index = 0; index < length; index += 1) this.#pass(content);
        return;
      }
      case Op.record:
        for (const field of fields) this.#pass(field.type);
        return;
      case Op.variant:
        return this.#pass(fields[this.reader.length()]?.type ?? Op.empty);
      case Op.func:
        if (this.reader.byte() !== 1) throw new CandidFormatError('opaque references are not supported');
        this.reader.principal();
        this.reader.take(this.reader.length());
        return;
      default:
        this.reader.principal();
    }
  }

  #readEntry(): TableEntry {
    const { reader } = this;
    const op = reader.type();
    switch (op) {
      case Op.opt:
      case Op.vec:
        return { op, fields: [{ hash: 0, type: reader.type() }] };
      case Op.record:
      case Op.variant:
        return { op, fields: this.list(() => ({ hash: reader.length(), type: reader.type() })) };
      case Op.func:
        this.list(() => reader.type());
        this.list(() => reader.type());
        this.list(() => reader.byte());
        return { op, fields: [] };
      case Op.service:
        this.list(() => [reader.text(), reader.type()]);
        return { op, fields: [] };
      default:
        throw new CandidFormatError('the message uses an unknown kind of type');
    }
  }
}

/** The hash by which Candid identifies a field name. */
export function fieldHash(name: string): number {
  return [...Buffer.from(name)].reduce((hash, byte) => (Math.imul(hash, 223) + byte) >>> 0, 0);
}

/** Shortest signed LEB128 form of a type. */
function encodeType(type: number): Uint8Array {
  const bytes: number[] = [];
  let rest = type;
  for (;;) {
    const low = rest & 0x7f;
    rest >>= 7;
    const done = (rest === 0 && (low & 0x40) === 0) || (rest === -1 && (low & 0x40) !== 0);
    bytes.push(done ? low : low | 0x80);
    if (done) return Uint8Array.from(bytes);
  }
}
