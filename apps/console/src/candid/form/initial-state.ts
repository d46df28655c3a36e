import { fieldsOf, isBlob, unwrap } from '@cannery/candid';
import { IDL } from '@icp-sdk/core/candid';
import type { FieldState } from './field-state.ts';

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

/** A form opens at most this many parts by itself; the rest is opened on demand. */
const MAX_PARTS = 200;

interface Opening {
  left: number;
  readonly inside: ReadonlySet<IDL.Type>;
}

/**
 * The empty form of a type. Options start off, lists start empty, variants start at their simplest choice;
 * a type met again inside itself stays collapsed.
 */
export function initialState(type: IDL.Type): FieldState {
  return open(type, { left: MAX_PARTS, inside: new Set() });
}

function open(outer: IDL.Type, opening: Opening): FieldState {
  const type = unwrap(outer);
  if (isBlob(type)) return { kind: 'blob', source: 'hex', text: '', file: undefined };
  if (type instanceof IDL.OptClass) return { kind: 'opt', some: false, inner: undefined };
  if (type instanceof IDL.VecClass) return { kind: 'vec', items: [] };
  if (type instanceof IDL.FuncClass) return { kind: 'func', canister: '', method: '' };
  if (type instanceof IDL.BoolClass) return { kind: 'bool', value: false };
  if (type instanceof IDL.NullClass || type instanceof IDL.ReservedClass) return { kind: 'fixed' };
  const isRecord = type instanceof IDL.RecordClass;
  if (!isRecord && !(type instanceof IDL.VariantClass)) return { kind: 'text', text: '' };

  if (opening.inside.has(type) || opening.left <= 0) return { kind: 'collapsed' };
  const deeper = { ...opening, inside: new Set([...opening.inside, type]) };
  const part = (inner: IDL.Type): FieldState => {
    deeper.left--;
    return open(inner, deeper);
  };
  let state: FieldState;
  if (isRecord) {
    state = { kind: 'fields', parts: fieldsOf(type).map(([, inner]) => part(inner)) };
  } else {
    const choice = simplestChoice(type);
    state = {
      kind: 'variant',
      choice: choice?.[0] ?? '',
      entered: new Map(choice ? [[choice[0], part(choice[1])]] : []),
    };
  }
  opening.left = deeper.left;
  return state;
}
