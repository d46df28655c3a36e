import {
  chosenOf,
  fieldsOf,
  floatFor,
  integerFor,
  integerRange,
  LONGEST_NUMBER,
  parseFloatText,
  parseInteger,
  unwrap,
} from '@cannery/candid';
import { IDL } from '@icp-sdk/core/candid';
import { Principal } from '@icp-sdk/core/principal';
import { blobBytes } from './blob-bytes.ts';
import type { FieldState } from './field-state.ts';

/** Messages of a form by the path of the input they belong to, such as `0/1/2` (see `partPath`). */
export type FormErrors = ReadonlyMap<string, string>;

/** What a form amounts to: the arguments for `IDL.encode`, or, with `undefined` in their places, the mistakes. */
export type FormResult =
  | { readonly ok: true; readonly values: unknown[] }
  | { readonly ok: false; readonly values: unknown[]; readonly errors: FormErrors };

/** The path of a part: the index of a field or argument, or the key of a list item, behind its parent's. */
export function partPath(parent: string, part: number): string {
  return parent === '' ? String(part) : `${parent}/${part}`;
}

/** Turns what was entered for the arguments of a method into values; collects every mistake at once. */
export function toValues(types: readonly IDL.Type[], states: readonly FieldState[]): FormResult {
  const errors = new Map<string, string>();
  const values = types.map((type, index) => {
    return convert(type, states[index] ?? { kind: 'collapsed' }, partPath('', index), errors);
  });
  return errors.size === 0 ? { ok: true, values } : { ok: false, values, errors };
}

function convert(outer: IDL.Type, state: FieldState, path: string, errors: Map<string, string>): unknown {
  const type = unwrap(outer);
  switch (state.kind) {
    case 'fixed':
      return null;
    case 'bool':
      return state.value;
    case 'opt': {
      if (!(type instanceof IDL.OptClass) || !state.some) return [];
      return [convert(type._type, state.inner ?? { kind: 'collapsed' }, partPath(path, 0), errors)];
    }
    case 'vec': {
      if (!(type instanceof IDL.VecClass)) return [];
      const inner: IDL.Type = type._type;
      return state.items.map((item) => convert(inner, item.state, partPath(path, item.key), errors));
    }
    case 'fields': {
      if (!(type instanceof IDL.RecordClass)) return {};
      const parts = fieldsOf(type).map(([key, inner], index): [string, unknown] => {
        const part = state.parts[index] ?? { kind: 'collapsed' };
        return [key, convert(inner, part, partPath(path, index), errors)];
      });
      return type instanceof IDL.TupleClass ? parts.map(([, value]) => value) : Object.fromEntries(parts);
    }
    case 'variant': {
      const isVariant = type instanceof IDL.VariantClass;
      const chosen = isVariant ? chosenOf(type, { [state.choice]: null }) : undefined;
      if (!chosen) {
        errors.set(path, 'This variant has no choices, so no value of it exists');
        return undefined;
      }
      const inner = state.entered.get(state.choice) ?? { kind: 'collapsed' };
      return Object.fromEntries([[state.choice, convert(chosen[1], inner, partPath(path, 0), errors)]]);
    }
    case 'blob':
      return orError(blobBytes(state), path, errors);
    case 'func': {
      const canister = orError(principalOf(state.canister), partPath(path, 0), errors);
      if (state.method === '') errors.set(partPath(path, 1), 'Enter the name of the method');
      return canister === undefined || state.method === '' ? undefined : [canister, state.method];
    }
    case 'text':
      return orError(leafValue(type, state.text), path, errors);
    case 'collapsed':
      errors.set(path, 'Open this part and fill it in');
      return undefined;
  }
}

/** A sentence instead of a value: a mistake. Texts are wrapped, so that they are not mistaken for one. */
type Leaf = string | Principal | Uint8Array | bigint | number | { readonly text: string };

function orError(leaf: Leaf, path: string, errors: Map<string, string>): unknown {
  if (typeof leaf === 'string') {
    errors.set(path, leaf);
    return undefined;
  }
  return typeof leaf === 'object' && 'text' in leaf ? leaf.text : leaf;
}

function leafValue(type: IDL.Type, text: string): Leaf {
  if (type instanceof IDL.TextClass) return { text };
  const trimmed = text.trim();
  if (type instanceof IDL.PrincipalClass || type instanceof IDL.ServiceClass) return principalOf(trimmed);
  if (trimmed.length > LONGEST_NUMBER) return `A number has at most ${LONGEST_NUMBER} characters here`;
  if (type instanceof IDL.FloatClass) {
    const float = parseFloatText(trimmed);
    if (float === undefined) return 'Enter a number, such as 1.5 or -2e10';
    const size = Math.abs(float) < 1 ? 'small' : 'large';
    return floatFor(type, float) ?? `This number is too ${size} for ${type.name}`;
  }
  const range = integerRange(type);
  if (!range) return 'No value of this type exists, so the method cannot be called';
  const integer = parseInteger(trimmed);
  if (integer === undefined) return 'Enter a whole number';
  return integerFor(type, integer) ?? `Out of range for ${type.name}: ${range.text}`;
}

function principalOf(text: string): Principal | string {
  const trimmed = text.trim();
  if (trimmed === '') return 'Enter a principal, such as rrkah-fqaaa-aaaaa-aaaaq-cai';
  try {
    return Principal.fromText(trimmed);
  } catch {
    return 'This is not a valid principal: a letter is wrong or missing';
  }
}
