import { CandidError } from '../errors.ts';
import { WireReader } from './wire-reader.ts';

/** Codes of types in the binary format of the Candid specification. A code from 0 on is a place in the type table. */
export const Op = {
  null: -1,
  bool: -2,
  nat: -3,
  int: -4,
  nat8: -5,
  nat16: -6,
  nat32: -7,
  nat64: -8,
  int8: -9,
  int16: -10,
  int32: -11,
  int64: -12,
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

/** Bytes of plain values that always have the same number. */
const fixedBytes: ReadonlyMap<number, number> = new Map([
  [Op.null, 0],
  [Op.reserved, 0],
  [Op.nat8, 1],
  [Op.nat16, 2],
  [Op.nat32, 4],
  [Op.nat64, 8],
  [Op.int8, 1],
  [Op.int16, 2],
  [Op.int32, 4],
  [Op.int64, 8],
  [Op.float32, 4],
  [Op.float64, 8],
]);

const MAGIC = [0x44, 0x49, 0x44, 0x4c];

/**
 * What reading a message is charged to. Each method is called before the work it names, and throws when that is too much:
 * neither time nor memory may follow a number that a message merely claims.
 */
export interface WireCosts {
  /** A message of this length, or as many bytes of it that are copied. */
  bytes(count: number): void;
  /** Entries of the type table, with their fields, cases, methods and arguments. */
  types(count: number): void;
  /** Values of any type, those that take no byte included. */
  values(count: number): void;
  /** Items of a vec. Each of those that have no fixed length, or no bytes, is charged as a value, too, when it is read. */
  items(count: number, type: number, bytesOfEach: number | undefined): void;
  /** A number without bounds, once its bytes have been passed. */
  number(bytes: number): void;
  /** Steps into a value that holds others; `op` is its kind. `leave` steps out. */
  enter(op: number): void;
  leave(): void;
}

interface Field {
  readonly hash: number;
  readonly type: number;
}

/** One entry of the type table. `fields` of an opt and a vec hold the content type only. */
export interface TableEntry {
  readonly op: number;
  readonly fields: readonly Field[];
  /** Of a function. */
  readonly signature?: {
    readonly args: readonly number[];
    readonly results: readonly number[];
    readonly modes: Uint8Array;
  };
  /** Of a service: names and their types. */
  readonly methods?: readonly (readonly [name: string, type: number])[];
}

/**
 * A Candid message of a stranger, read value by value: the caller reads what it asks for and passes over the rest, whatever
 * its type. Every method throws CandidError when the bytes are not well-formed, and what the costs throw.
 */
export class WireMessage {
  readonly reader: WireReader;
  readonly table: readonly TableEntry[];
  /** Types of the values in the message. */
  readonly types: readonly number[];
  readonly #tableLength: number;
  readonly #tableEnd: number;
  readonly #costs: WireCosts;

  constructor(bytes: Uint8Array, costs: WireCosts) {
    costs.bytes(bytes.length);
    const reader = new WireReader(bytes);
    if (!MAGIC.every((byte, index) => bytes[index] === byte)) {
      throw new CandidError('a Candid message begins with "DIDL"');
    }
    reader.take(MAGIC.length);
    this.reader = reader;
    this.#costs = costs;
    this.#tableLength = this.#count();
    this.table = Array.from({ length: this.#tableLength }, () => this.#readEntry());
    this.#tableEnd = reader.offset;
    this.types = this.#references();
  }

  /** Reads a length, and that number of items; throws CandidError where they are more than `most`. */
  list<T>(read: () => T, most: number): T[] {
    const length = this.reader.count();
    if (length > most) throw new CandidError(`a list has more than ${most} items`);
    this.#costs.values(length);
    return Array.from({ length }, read);
  }

  /** The table entry of `type` if it is built with `op`. */
  entry(type: number, op: number): TableEntry | undefined {
    const entry = this.table[type];
    return entry?.op === op ? entry : undefined;
  }

  /** The content type of an opt or vec, or undefined if `type` is something else. */
  contentType(type: number, op: typeof Op.opt | typeof Op.vec): number | undefined {
    return this.entry(type, op)?.fields[0]?.type;
  }

  /** Reads a record: calls the handler of each field by its hash, and passes over fields without one. */
  record(type: number, handlers: ReadonlyMap<number, (type: number) => void>): void {
    const entry = this.entry(type, Op.record);
    if (!entry) throw new CandidError('a record was expected');
    this.#costs.values(entry.fields.length);
    for (const field of entry.fields) {
      const handle = handlers.get(field.hash);
      if (handle) handle(field.type);
      else this.#pass(field.type);
    }
  }

  /** Reads an opt, if `type` is one, and returns whether a value of the given content type follows. */
  option(type: number): number | undefined {
    const content = this.contentType(type, Op.opt);
    if (content === undefined) {
      this.#pass(type);
      return undefined;
    }
    return this.reader.flag() ? content : undefined;
  }

  isBlob(type: number): boolean {
    return this.contentType(type, Op.vec) === Op.nat8;
  }

  blob(type: number): Uint8Array {
    if (!this.isBlob(type)) throw new CandidError('a blob was expected');
    return this.reader.take(this.reader.count());
  }

  text(type: number): string {
    if (type !== Op.text) throw new CandidError('a text was expected');
    return this.reader.text();
  }

  /** A message with the single value of `type` whose bytes are `value`, as they are in this message. */
  quote(type: number, value: Uint8Array): Uint8Array {
    const table = this.reader.bytes.subarray(0, this.#tableEnd);
    const code = encodeType(type);
    this.#costs.bytes(table.length + value.length);
    const quoted = new Uint8Array(table.length + 1 + code.length + value.length);
    quoted.set(table);
    quoted[table.length] = 1;
    quoted.set(code, table.length + 1);
    quoted.set(value, table.length + 1 + code.length);
    return quoted;
  }

  /** Passes over one value and returns its bytes. */
  skip(type: number): Uint8Array {
    const start = this.reader.offset;
    this.#pass(type);
    return this.reader.bytes.subarray(start, this.reader.offset);
  }

  /** Passes over all values; nothing may follow them. */
  skipAll(): void {
    for (const type of this.types) this.#pass(type);
    if (this.reader.left > 0) throw new CandidError('there are bytes after the last value');
  }

  #pass(type: number): void {
    const { reader } = this;
    this.#costs.values(1);
    const size = fixedBytes.get(type);
    if (size !== undefined) reader.take(size);
    else if (type === Op.nat || type === Op.int) this.#costs.number(reader.skipNumber());
    else if (type === Op.bool) reader.flag();
    else if (type === Op.text) reader.text();
    else if (type === Op.principal) reader.principal();
    else {
      const entry = this.table[type];
      if (!entry) throw new CandidError('there is no value of the type `empty`');
      this.#costs.enter(entry.op);
      this.#passParts(entry);
      this.#costs.leave();
    }
  }

  #passParts({ op, fields }: TableEntry): void {
    const { reader } = this;
    const content = fields[0]?.type ?? Op.empty;
    if (op === Op.opt) {
      if (reader.flag()) this.#pass(content);
    } else if (op === Op.vec) this.#passItems(content);
    else if (op === Op.record) for (const field of fields) this.#pass(field.type);
    else if (op === Op.variant) {
      const chosen = fields[reader.count()];
      if (!chosen) throw new CandidError('a variant has a case that its type does not have');
      this.#pass(chosen.type);
    } else {
      // A function is a flag, the principal of its canister and its name; a service is the principal alone.
      if (op === Op.func && !reader.flag()) throw new CandidError('opaque references are not supported');
      reader.principal();
      if (op === Op.func) reader.text();
    }
  }

  #passItems(type: number): void {
    const count = this.reader.count();
    const size = fixedBytes.get(type);
    this.#costs.items(count, type, size);
    if (size !== undefined && size > 0) this.reader.take(count * size);
    else for (let index = 0; index < count; index++) this.#pass(type);
  }

  /** How many parts of one kind follow. */
  #count(): number {
    const count = this.reader.count();
    this.#costs.types(count);
    return count;
  }

  #reference(): number {
    const code = this.reader.typeCode();
    const isPlain = code < 0 && (code >= Op.empty || code === Op.principal);
    if (!isPlain && !(code >= 0 && code < this.#tableLength)) {
      throw new CandidError('the message names a type that does not exist');
    }
    return code;
  }

  #references(): number[] {
    return Array.from({ length: this.#count() }, () => this.#reference());
  }

  #readEntry(): TableEntry {
    const op = this.reader.typeCode();
    switch (op) {
      case Op.opt:
      case Op.vec:
        return { op, fields: [{ hash: 0, type: this.#reference() }] };
      case Op.record:
      case Op.variant:
        return { op, fields: this.#readFields() };
      case Op.func: {
        const args = this.#references();
        const results = this.#references();
        return { op, fields: [], signature: { args, results, modes: this.reader.take(this.#count()) } };
      }
      case Op.service: {
        const method = (): [string, number] => [this.reader.text(), this.#reference()];
        return { op, fields: [], methods: Array.from({ length: this.#count() }, method) };
      }
      default:
        throw new CandidError('the message has a type of an unknown kind');
    }
  }

  /** Fields by their hashes, which ascend. */
  #readFields(): Field[] {
    let before = -1;
    return Array.from({ length: this.#count() }, () => {
      const hash = this.reader.count();
      if (hash <= before || hash >= 2 ** 32) {
        throw new CandidError('the fields of a type are not in their order');
      }
      before = hash;
      return { hash, type: this.#reference() };
    });
  }
}

/** Shortest signed LEB128 form of a type. */
function encodeType(type: number): number[] {
  const bytes: number[] = [];
  for (let rest = type; ; rest >>= 7) {
    const low = rest & 0x7f;
    const next = rest >> 7;
    if (next === ((low & 0x40) === 0 ? 0 : -1)) return [...bytes, low];
    bytes.push(low | 0x80);
  }
}
