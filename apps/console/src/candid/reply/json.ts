import { chosenOf, fieldsOf, floatText, isBlob, keyName, unwrap } from '@cannery/candid';
import { IDL } from '@icp-sdk/core/candid';
import { Principal } from '@icp-sdk/core/principal';
import { hexText } from '../form/blob-bytes.ts';

/**
 * A text of JSON or JavaScript in whose strings everything is written as its number that is not seen, or turns the order
 * of what stands around it. Outside of strings such a text has only line breaks, which stay.
 */
export function spellUnseen(text: string): string {
  return text.replace(/(?!\n)[\p{C}\p{Zl}\p{Zp}]/gu, (character) =>
    character
      .split('')
      .map((unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
      .join(''),
  );
}

type Json = null | boolean | number | string | readonly Json[] | { readonly [key: string]: Json };

/**
 * Decoded values as JSON text: numbers beyond what JSON readers keep exactly become texts, blobs hexadecimal ones
 * with 0x before them, an absent option null, a variant an object with its one choice. Several values become a list.
 */
export function jsonText(types: readonly IDL.Type[], values: readonly unknown[]): string {
  const all = types.map((type, index) => json(type, values[index]));
  return spellUnseen(JSON.stringify(all.length === 1 ? all[0] : all, null, 2));
}

function json(outer: IDL.Type, value: unknown): Json {
  const type = unwrap(outer);
  if (isBlob(type)) return `0x${hexText(Uint8Array.from(value as Iterable<number>))}`;
  if (type instanceof IDL.VecClass) {
    const inner: IDL.Type = type._type;
    return Array.from(value as Iterable<unknown>, (item) => json(inner, item));
  }
  if (type instanceof IDL.OptClass) {
    const [inner]: unknown[] = Array.from(value as Iterable<unknown>);
    if (inner === undefined) return null;
    const some = json(type._type, inner);
    // An option inside an option must still be told from one that is absent.
    return unwrap(type._type) instanceof IDL.OptClass ? [some] : some;
  }
  if (type instanceof IDL.TupleClass && Array.isArray(value)) {
    return type._fields.map(([, part], index) => json(part, value[index]));
  }
  if (type instanceof IDL.RecordClass || type instanceof IDL.VariantClass) {
    const record = value as Record<string, unknown>;
    return Object.fromEntries(
      partsOf(type, record).map(([key, part]) => [keyName(key), json(part, record[key])]),
    );
  }
  return leaf(value);
}

/** The fields of a record that are there, or the one choice of a variant. */
function partsOf(type: IDL.RecordClass | IDL.VariantClass, value: object): [string, IDL.Type][] {
  if (!(type instanceof IDL.VariantClass)) return fieldsOf(type).filter(([key]) => Object.hasOwn(value, key));
  const chosen = chosenOf(type, value);
  return chosen === undefined ? [] : [chosen];
}

function leaf(value: unknown): Json {
  if (value instanceof Principal) return value.toText();
  if (typeof value === 'bigint') return Number.isSafeInteger(Number(value)) ? Number(value) : String(value);
  if (typeof value === 'number') return Number.isFinite(value) ? value : floatText(value);
  if (typeof value === 'string' || typeof value === 'boolean') return value;
  if (Array.isArray(value)) {
    // A reference to a function is its canister and the name of its method.
    return value.map(leaf);
  }
  return null;
}
