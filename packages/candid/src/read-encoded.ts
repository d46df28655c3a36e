import { IDL } from '@icp-sdk/core/candid';
import { checkEncoded } from './check-encoded.ts';
import { CandidError } from './errors.ts';
import { printValues } from './value-print.ts';

/** Wider than any text: it stays on one line. */
const ONE_LINE = Number.MAX_SAFE_INTEGER;

/**
 * The Candid text, on one line, of an encoded message that anybody may have made. It can be far longer than the message: some
 * values take no byte. Throws CandidError when the message is not well-formed, of other types, or has too many values.
 */
export function readEncoded(bytes: Uint8Array, types: readonly IDL.Type[]): string {
  checkEncoded(bytes, types);
  let values: unknown[];
  try {
    // The library reads a view of a larger buffer from the beginning of that.
    values = IDL.decode([...types], Uint8Array.from(bytes));
  } catch (error) {
    throw new CandidError(`the message cannot be read: ${error instanceof Error ? error.message : ''}`);
  }
  return printValues(types, values, ONE_LINE);
}
