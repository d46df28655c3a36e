import { IDL } from '@icp-sdk/core/candid';
import { CandidError } from '../errors.ts';
import { printValues } from '../values/value-print.ts';
import type { ReadingLimits } from './budget.ts';
import { checkEncoded } from './check-encoded.ts';

/**
 * The values of an encoded message that anybody may have made, in time and memory that the limits bound.
 * Throws CandidError when the message is not well-formed, of other types, or costs more than the limits.
 */
export function decodeEncoded(
  bytes: Uint8Array,
  types: readonly IDL.Type[],
  limits?: ReadingLimits,
): unknown[] {
  checkEncoded(bytes, types, limits);
  try {
    // The library reads a view of a larger buffer from the beginning of that.
    return IDL.decode([...types], Uint8Array.from(bytes));
  } catch (error) {
    throw new CandidError(`the message cannot be read: ${error instanceof Error ? error.message : ''}`);
  }
}

/** Wider than any text: it stays on one line. */
const ONE_LINE = Number.MAX_SAFE_INTEGER;

/**
 * The Candid text, on one line, of an encoded message that anybody may have made. It can be far longer than the message: some
 * values take no byte. Throws CandidError when the message is not well-formed, of other types, or has too many values.
 */
export function readEncoded(bytes: Uint8Array, types: readonly IDL.Type[]): string {
  return printValues(types, decodeEncoded(bytes, types), ONE_LINE);
}
