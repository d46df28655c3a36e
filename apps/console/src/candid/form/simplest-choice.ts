import { fieldsOf, unwrap } from '@cannery/candid';
import { IDL } from '@icp-sdk/core/candid';

/** The first choice whose type does not lead back to the variant; else the first. */
export function simplestChoice(type: IDL.VariantClass): [string, IDL.Type] | undefined {
  const choices = fieldsOf(type);
  return choices.find(([, inner]) => !needs(inner, type, new Set())) ?? choices[0];
}

/** Whether every value of `outer` contains one of `target`, or may for a variant. */
function needs(outer: IDL.Type, target: IDL.Type, seen: Set<IDL.Type>): boolean {
  const type = unwrap(outer);
  if (type === target) return true;
  if (seen.has(type)) return false;
  seen.add(type);
  if (type instanceof IDL.RecordClass || type instanceof IDL.VariantClass) {
    return type._fields.some(([, inner]) => needs(inner, target, seen));
  }
  return false;
}
