import { IDL } from '@icp-sdk/core/candid';
import { ReadingBudget, type ReadingLimits, WHOLE_MESSAGE } from './budget.ts';
import { CandidError } from '../errors.ts';
import { SubtypeCheck } from '../types/subtype.ts';
import { unwrap } from '../types/to-idl.ts';
import { WireMessage } from './wire-message.ts';
import { typesOf } from './wire-types.ts';

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
  const budget = new ReadingBudget(limits, widestOf(types));
  const message = new WireMessage(bytes, budget);
  const sent = typesOf(message);
  const misfit = new SubtypeCheck(sent.names).listMisfit(sent.types, types, 'argument');
  if (misfit !== undefined) {
    throw new CandidError([...misfit.path, misfit.problem].join(': '));
  }
  message.skipAll();
  return budget.spent;
}

/** How many fields the widest record or variant within some types has. */
function widestOf(types: readonly IDL.Type[]): number {
  const seen = new Set<IDL.Type>();
  const left = [...types];
  let widest = 1;
  for (let outer = left.pop(); outer !== undefined; outer = left.pop()) {
    const type = unwrap(outer);
    if (seen.has(type)) continue;
    seen.add(type);
    if (type instanceof IDL.VecClass || type instanceof IDL.OptClass) left.push(type._type);
    if (!(type instanceof IDL.RecordClass || type instanceof IDL.VariantClass)) continue;
    widest = Math.max(widest, type._fields.length);
    for (const [, part] of type._fields) left.push(part);
  }
  return widest;
}
