import { chosenOf, fieldsOf, floatText, isBlob, unwrap } from '@cannery/candid';
import { IDL } from '@icp-sdk/core/candid';
import { Principal } from '@icp-sdk/core/principal';
import { hexText } from './blob-bytes.ts';
import type { FieldState } from './field-state.ts';

/** A blob longer than this many bytes is shown in the form as a chosen file is: by its size. */
const LONG_BLOB = 4096;

/**
 * The form that amounts to a value, as `parseValues` gives it: what `toValues` reads back from the form is the
 * same value. Throws TypeError when the value is none of the type.
 */
export function stateOfValue(outer: IDL.Type, value: unknown): FieldState {
  const type = unwrap(outer);
  if (type instanceof IDL.VecClass) {
    const items: unknown[] = Array.from(value as Iterable<unknown>);
    if (isBlob(type)) return blobState(Uint8Array.from(items, Number));
    const inner: IDL.Type = type._type;
    return {
      kind: 'vec',
      items: items.map((item, index) => ({ key: index + 1, state: stateOfValue(inner, item) })),
    };
  }
  if (type instanceof IDL.OptClass) {
    const [inner]: unknown[] = Array.from(value as Iterable<unknown>);
    if (inner === undefined) return { kind: 'opt', some: false, inner: undefined };
    return { kind: 'opt', some: true, inner: stateOfValue(type._type, inner) };
  }
  if (type instanceof IDL.RecordClass) {
    // A tuple's value is an array, and its keys are `_0_`, `_1_` ...
    const parts = fieldsOf(type).map(([key, part], index) => {
      return stateOfValue(
        part,
        Array.isArray(value) ? value[index] : (value as Record<string, unknown>)[key],
      );
    });
    return { kind: 'fields', parts };
  }
  if (type instanceof IDL.VariantClass) {
    const chosen = chosenOf(type, value as object);
    if (!chosen) throw new TypeError('the value is not a choice of the variant');
    const [choice, part] = chosen;
    const inner = stateOfValue(part, (value as Record<string, unknown>)[choice]);
    return { kind: 'variant', choice, entered: new Map([[choice, inner]]) };
  }
  return leafState(type, value);
}

function leafState(type: IDL.Type, value: unknown): FieldState {
  if (type instanceof IDL.NullClass || type instanceof IDL.ReservedClass) return { kind: 'fixed' };
  if (typeof value === 'boolean') return { kind: 'bool', value };
  if (value instanceof Principal) return { kind: 'text', text: value.toText() };
  if (type instanceof IDL.FuncClass && Array.isArray(value)) {
    const [canister, method]: unknown[] = value;
    if (canister instanceof Principal && typeof method === 'string') {
      return { kind: 'func', canister: canister.toText(), method };
    }
  }
  if (type instanceof IDL.FloatClass && typeof value === 'number') {
    return { kind: 'text', text: floatText(value) };
  }
  if (typeof value === 'string' || typeof value === 'number' || typeof value === 'bigint') {
    return { kind: 'text', text: String(value) };
  }
  throw new TypeError('the value is none of the type');
}

function blobState(bytes: Uint8Array): FieldState {
  if (bytes.length > LONG_BLOB) {
    return {
      kind: 'blob',
      source: 'file',
      text: '',
      file: { name: 'bytes given as text', size: bytes.length, bytes },
    };
  }
  return { kind: 'blob', source: 'hex', text: hexText(bytes), file: undefined };
}
