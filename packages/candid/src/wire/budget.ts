import { CandidError } from '../errors.ts';

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

/** Is spent while a message is read, before anything is made of what it claims to hold. */
export class ReadingBudget {
  readonly #limits: ReadingLimits;
  #values: number;
  #types: number;
  #compared = 0;
  #depth = 0;

  /** @throws CandidError when the message is longer than the limits allow */
  constructor(limits: ReadingLimits, length: number) {
    if (length > limits.bytes) throw new CandidError(`the message is longer than ${limits.bytes} bytes`);
    this.#limits = limits;
    this.#values = limits.values;
    this.#types = limits.types;
  }

  /** How many values have been read. */
  get spent(): number {
    return this.#limits.values - this.#values;
  }

  /** A record or variant, whose fields are looked for among this many. */
  compare(fields: number): void {
    this.#compared += fields;
    if (this.#compared > MAX_COMPARED) throw new CandidError('the message has too many fields to be checked');
  }

  /** Reads a value that may hold others. */
  within(read: () => void): void {
    this.#spend(1);
    if (this.#depth > MAX_DEPTH) throw tooMany();
    this.#depth += 1;
    read();
    this.#depth -= 1;
  }

  /** A number without bounds. */
  number(bytes: number): void {
    this.#spend(Math.floor((bytes / BYTES_OF_ONE_VALUE) ** 2));
  }

  /** Numbers of always as many bytes, one after the other. */
  fixed(count: number, bytesOfEach: number): void {
    this.#spend(Math.floor(count / (bytesOfEach === 1 ? BLOB_BYTES_PER_VALUE : FIXED_PER_VALUE)));
  }

  types(count: number): void {
    this.#types -= count;
    if (this.#types < 0) throw new CandidError('the message has too many types to be checked');
  }

  #spend(values: number): void {
    this.#values -= values;
    if (this.#values < 0) throw tooMany();
  }
}

function tooMany(): CandidError {
  return new CandidError('the message has too many values to be checked');
}
