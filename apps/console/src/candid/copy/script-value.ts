import { chosenOf, fieldsOf, isBlob, unwrap } from '@cannery/candid';
import { IDL } from '@icp-sdk/core/candid';
import { Principal } from '@icp-sdk/core/principal';
import { quoteScript } from './quote-script.ts';

/** A value of a Candid type as an expression of JavaScript, as the agent library takes it. */
export function scriptValue(outer: IDL.Type, value: unknown): string {
  const type = unwrap(outer);
  if (isBlob(type)) return `Uint8Array.of(${Array.from(value as Iterable<number>).join(', ')})`;
  if (type instanceof IDL.VecClass) {
    const inner: IDL.Type = type._type;
    return list(Array.from(value as Iterable<unknown>, (item) => scriptValue(inner, item)));
  }
  if (type instanceof IDL.OptClass) {
    return list(Array.from(value as Iterable<unknown>, (some) => scriptValue(type._type, some)));
  }
  if (type instanceof IDL.TupleClass) {
    const items = Array.from(value as Iterable<unknown>);
    return list(type._fields.map(([, part], index) => scriptValue(part, items[index])));
  }
  if (type instanceof IDL.RecordClass || type instanceof IDL.VariantClass) {
    const record = value as Record<string, unknown>;
    const chosen = type instanceof IDL.VariantClass ? chosenOf(type, record) : undefined;
    const there =
      chosen === undefined ? fieldsOf(type).filter(([key]) => Object.hasOwn(record, key)) : [chosen];
    const fields = there.map(([key, part]) => `[${quoteScript(key)}]: ${scriptValue(part, record[key])}`);
    return `{ ${fields.join(', ')} }`;
  }
  return leaf(value);
}

function list(items: readonly string[]): string {
  return `[${items.join(', ')}]`;
}

function leaf(value: unknown): string {
  if (value instanceof Principal) return `Principal.fromText(${quoteScript(value.toText())})`;
  if (typeof value === 'string') return quoteScript(value);
  if (typeof value === 'bigint') return `${value}n`;
  if (typeof value === 'number') return Object.is(value, -0) ? '-0' : String(value);
  if (typeof value === 'boolean') return String(value);
  // A reference to a function is its canister and the name of its method.
  if (Array.isArray(value)) return list(value.map(leaf));
  return 'null';
}
