import type { IDL } from '@icp-sdk/core/candid';
import { ReadingBudget, type ReadingLimits, WHOLE_MESSAGE } from './budget.ts';
import { CandidError } from '../errors.ts';
import { SubtypeCheck } from '../types/subtype.ts';
import { WireReader } from './wire-reader.ts';
import { readWireTypes } from './wire-types.ts';
import { WireValues, widestOf } from './wire-values.ts';

/**
 * Checks that encoded arguments are well-formed and of types that fit the given ones, as the canister that takes them
 * will. Nothing is decoded, so that a short message of very many values does no harm.
 * Answers how many values there are. Throws CandidError that says what is wrong.
 * @param limits what reading it may cost: decoding what passes takes time and memory in proportion to them
 */
export function checkEncoded(
  bytes: Uint8Array,
  types: readonly IDL.Type[],
  limits: ReadingLimits = WHOLE_MESSAGE,
): number {
  const budget = new ReadingBudget(limits, bytes.length);
  const reader = new WireReader(bytes);
  const sent = readWireTypes(reader, budget);
  const misfit = new SubtypeCheck(sent.names).listMisfit(sent.types, types, 'argument');
  if (misfit !== undefined) {
    throw new CandidError([...misfit.path, misfit.problem].join(': '));
  }
  new WireValues(reader, budget, widestOf(types)).skip(sent.types);
  return budget.spent;
}
