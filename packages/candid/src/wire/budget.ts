import { CandidError } from '../errors.ts';
import { Op, type WireCosts } from './wire-message.ts';

/** What one encoded message may cost whoever reads it. */
export interface ReadingLimits {
  /** Length of the message. */
  readonly bytes: number;
  /** Values of any type, those that take no byte included: a short message can hold any number of them. */
  readonly values: number;
  /** Entries of the table of types, with their fields, cases, methods and arguments. */
  readonly types: number;
}

/** Far more than an interface made by people has; a message of the Internet Computer has 3 MB at most. */
export const WHOLE_MESSAGE: ReadingLimits = { bytes: 16 * 1024 * 1024, values: 1_000_000, types: 200_000 };

/** Parts of one kind: every entry of the table takes two bytes at least; the tables of real messages have some hundred. */
const MAX_ENTRIES = 10_000;
/** Values, or types, that lie in each other. */
const MAX_DEPTH = 500;
/** Of a number without bounds whose reading takes as long as that of one value: it grows with the square of its bytes. */
const BYTES_OF_ONE_VALUE = 64;
/** Numbers of one or a few bytes that are read as fast as one value of another type. */
const FIXED_PER_VALUE = 4;
/** The same of a blob, which is copied as a whole. */
const BLOB_BYTES_PER_VALUE = 64;

/** Fields that a message may make its reader compare: of each record and variant as many as the widest expected type has. */
const MAX_COMPARED = 20_000_000;

/** Is spent while a message is read, before anything is made of what it claims to hold. Throws CandidError. */
export class ReadingBudget implements WireCosts {
  readonly #limits: ReadingLimits;
  readonly #widest: number;
  #values: number;
  #types: number;
  #compared = 0;
  #depth = 0;

  /** @param widest fields of the widest type that the values are read as */
  constructor(limits: ReadingLimits, widest: number) {
    this.#limits = limits;
    this.#widest = widest;
    this.#values = limits.values;
    this.#types = limits.types;
  }

  /** How many values have been read. */
  get spent(): number {
    return this.#limits.values - this.#values;
  }

  bytes(count: number): void {
    if (count > this.#limits.bytes) {
      throw new CandidError(`the message is longer than ${this.#limits.bytes} bytes`);
    }
  }

  types(count: number): void {
    this.#types -= count;
    if (count > MAX_ENTRIES || this.#types < 0) {
      throw new CandidError('the message has too many types to be checked');
    }
  }

  values(count: number): void {
    this.#values -= count;
    if (this.#values < 0) throw tooMany();
  }

  items(count: number, _type: number, bytesOfEach = 0): void {
    if (bytesOfEach === 0) return;
    this.values(Math.floor(count / (bytesOfEach === 1 ? BLOB_BYTES_PER_VALUE : FIXED_PER_VALUE)));
  }

  number(bytes: number): void {
    this.values(Math.floor((bytes / BYTES_OF_ONE_VALUE) ** 2));
  }

  /** The fields of a record or variant are looked for among those of the widest type. */
  enter(op: number): void {
    if (this.#depth >= MAX_DEPTH) throw tooMany();
    this.#depth += 1;
    if (op !== Op.record && op !== Op.variant) return;
    this.#compared += this.#widest;
    if (this.#compared > MAX_COMPARED) throw new CandidError('the message has too many fields to be checked');
  }

  leave(): void {
    this.#depth -= 1;
  }
}

function tooMany(): CandidError {
  return new CandidError('the message has too many values to be checked');
}
