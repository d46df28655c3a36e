import { CandidError } from '@cannery/candid/errors';
import { Op, type WireCosts } from '@cannery/candid/wire-message';

/**
 * Values in one message; the longest argument that makes sense has 1,000 globals. The general decoder, which runs on what
 * passes here, takes some 30 us for each.
 */
const MAX_VALUES = 10_000;
const MAX_DEPTH = 64;
/**
 * Bytes of a number without a bound of its type: amounts have 19 at most (128 bits). The general decoder takes time with
 * the square of them.
 */
const MAX_NUMBER_BYTES = 100;
/** Types and fields that one message declares; arguments have some fifty, and the general decoder takes 100 ms for these. */
const MAX_DECLARED = 1_000;

/** What the general decoder, which is not metered, may be made to do. Throws CandidError. */
export class ArgumentCosts implements WireCosts {
  #values = 0;
  #declared = 0;
  #depth = 0;

  /** The message is here, and the call has paid for its bytes. */
  bytes(): void {}

  types(count: number): void {
    this.#declared += count;
    if (this.#declared > MAX_DECLARED) throw tooComplex();
  }

  values(count: number): void {
    this.#values += count;
    if (this.#values > MAX_VALUES) throw tooComplex();
  }

  /** A blob is copied as a whole. */
  items(count: number, type: number, bytesOfEach = 0): void {
    if (bytesOfEach > 0 && type !== Op.nat8) this.values(count);
  }

  number(bytes: number): void {
    if (bytes > MAX_NUMBER_BYTES) throw new CandidError('a number is too large');
  }

  enter(): void {
    this.#depth += 1;
    if (this.#depth > MAX_DEPTH) throw tooComplex();
  }

  leave(): void {
    this.#depth -= 1;
  }
}

function tooComplex(): CandidError {
  return new CandidError('the message is too complex');
}
