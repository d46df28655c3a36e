import { fieldsOf, unwrap } from '@cannery/candid';
import { IDL } from '@icp-sdk/core/candid';

/** Types looked at for one choice of a variant; of a larger one the first choice is taken. */
const MOST_VISITS = 10_000;

/** The first choice whose type does not lead back to the variant; else the first. */
export function simplestChoice(type: IDL.VariantClass): [string, IDL.Type] | undefined {
  const choices = fieldsOf(type);
  const budget = { left: MOST_VISITS };
  return choices.find(([, inner]) => !needs(inner, type, new Set(), budget)) ?? choices[0];
}

/** Whether every value of `outer` contains one of `target`, or may for a variant. */
function needs(outer: IDL.Type, target: IDL.Type, seen: Set<IDL.Type>, budget: { left: number }): boolean {
  const type = unwrap(outer);
  if (type === target || budget.left <= 0) return true;
  if (seen.has(type)) return false;
  seen.add(type);
  budget.left -= 1;
  if (type instanceof IDL.RecordClass || type instanceof IDL.VariantClass) {
    return type._fields.some(([, inner]) => needs(inner, target, seen, budget));
  }
  return false;
}
