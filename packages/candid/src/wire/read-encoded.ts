import type { IDL } from '@icp-sdk/core/candid';
import { decodeEncoded } from './decode-encoded.ts';
import { printValues } from '../values/value-print.ts';

/** Wider than any text: it stays on one line. */
const ONE_LINE = Number.MAX_SAFE_INTEGER;

/**
 * The Candid text, on one line, of an encoded message that anybody may have made. It can be far longer than the message: some
 * values take no byte. Throws CandidError when the message is not well-formed, of other types, or has too many values.
 */
export function readEncoded(bytes: Uint8Array, types: readonly IDL.Type[]): string {
  return printValues(types, decodeEncoded(bytes, types), ONE_LINE);
}
