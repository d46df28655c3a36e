import type { IDL } from '@icp-sdk/core/candid';
import { CandidError } from './errors.ts';
import { SubtypeCheck } from './subtype.ts';
import { WireReader } from './wire-reader.ts';
import { readWireTypes } from './wire-types.ts';
import { WireValues } from './wire-values.ts';

/**
 * Checks that encoded arguments are well-formed and of types that fit the given ones, as the canister that takes them
 * will. Nothing is decoded, so that a short message of very many values does no harm.
 * Throws CandidError that says what is wrong.
 */
export function checkEncoded(bytes: Uint8Array, types: readonly IDL.Type[]): void {
  const reader = new WireReader(bytes);
  const sent = readWireTypes(reader);
  const misfit = new SubtypeCheck(sent.names).listMisfit(sent.types, types, 'argument');
  if (misfit !== undefined) {
    throw new CandidError([...misfit.path, misfit.problem].join(': '));
  }
  new WireValues(reader).skip(sent.types);
}
