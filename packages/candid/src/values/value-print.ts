import { IDL } from '@icp-sdk/core/candid';
import { Principal } from '@icp-sdk/core/principal';
import { CandidValueError } from '../errors.ts';
import { chosenOf, fieldsOf } from '../types/field-order.ts';
import { isBlob } from '../types/format.ts';
import { printKey, printName, quoteText } from '../types/label.ts';
import { type Layout, render } from './layout.ts';
import { groupDigits } from '../types/number-text.ts';
import { unwrap } from '../types/to-idl.ts';

/** What is in a draft for a part that is not there yet; it reads back as a mistake at its place. */
const HOLE = '_';

/**
 * Builds the Candid text of a value as the IDL library decodes it. Numbers carry their type, because the
 * text alone would not tell nat8 from int. Throws CandidValueError when value and type do not agree.
 * @param isDraft prints a hole for a part that is undefined
 */
function layoutValue(type: IDL.Type, value: unknown, isDraft: boolean): Layout {
  if (isDraft && value === undefined) return HOLE;
  const bare = unwrap(type);
  if (isBlob(bare)) return `blob "${blobText(bytesOf(bare, value))}"`;
  if (bare instanceof IDL.VecClass) {
    return {
      open: 'vec {',
      separator: ';',
      close: '}',
      items: itemsOf(value).map((item) => layoutValue(bare._type, item, isDraft)),
    };
  }
  if (bare instanceof IDL.OptClass) return layoutOpt(bare, value, isDraft);
  if (bare instanceof IDL.TupleClass) {
    const items = itemsOf(value);
    const parts = bare._fields.map(([, part], index) => layoutValue(part, items[index], isDraft));
    return { open: 'record {', separator: ';', close: '}', items: parts };
  }
  if (bare instanceof IDL.RecordClass) {
    const record = objectOf(bare, value);
    const parts = fieldsOf(bare).map(([key, part]): Layout => {
      return { prefix: `${printKey(key)} = `, of: layoutValue(part, record[key], isDraft) };
    });
    return { open: 'record {', separator: ';', close: '}', items: parts };
  }
  if (bare instanceof IDL.VariantClass) return layoutVariant(bare, value, isDraft);
  return printLeaf(bare, value);
}

/** The Candid text of a value without brackets, broken into lines where it would be wider than `width`. */
export function printValue(type: IDL.Type, value: unknown, width = 80): string {
  return render(layoutValue(type, value, false), width);
}

/** The Candid text of a list of values in round brackets: `(42 : nat, "x")`. */
export function printValues(types: readonly IDL.Type[], values: readonly unknown[], width = 80): string {
  return printList(types, values, width, false);
}

/** Like `printValues`, for arguments still being entered: every undefined part is printed as `_`. */
export function printDraft(types: readonly IDL.Type[], values: readonly unknown[], width = 80): string {
  return printList(types, values, width, true);
}

function printList(
  types: readonly IDL.Type[],
  values: readonly unknown[],
  width: number,
  isDraft: boolean,
): string {
  const items = types.map((type, index) => layoutValue(type, values[index], isDraft));
  return render({ open: '(', separator: ',', close: ')', tight: true, items }, width);
}

function layoutOpt(type: IDL.OptClass<unknown>, value: unknown, isDraft: boolean): Layout {
  const [inner, ...rest] = itemsOf(value);
  if (itemsOf(value).length === 0) return 'null';
  if (rest.length > 0) throw disagreement(type, value);
  const part = layoutValue(type._type, inner, isDraft);
  // `opt 1 : nat` would put the type on the whole; the number needs its own brackets.
  const typed = typeof part === 'string' && /^[^"]* : \w+$/.test(part);
  return typed ? `opt (${part})` : { prefix: 'opt ', of: part };
}

function layoutVariant(type: IDL.VariantClass, value: unknown, isDraft: boolean): Layout {
  const record = objectOf(type, value);
  const chosen = chosenOf(type, record);
  if (!chosen) throw disagreement(type, value);
  const [key, part] = chosen;
  if (unwrap(part) instanceof IDL.NullClass) return `variant { ${printKey(key)} }`;
  const item: Layout = { prefix: `${printKey(key)} = `, of: layoutValue(part, record[key], isDraft) };
  return { open: 'variant {', separator: ';', close: '}', items: [item] };
}

function printLeaf(type: IDL.Type, value: unknown): string {
  if (type instanceof IDL.NullClass) return 'null';
  if (type instanceof IDL.ReservedClass) return 'null : reserved';
  if (type instanceof IDL.BoolClass && typeof value === 'boolean') return String(value);
  if (type instanceof IDL.TextClass && typeof value === 'string') return quoteText(value);
  if (type instanceof IDL.FloatClass && typeof value === 'number')
    return `${floatText(value)} : ${type.name}`;
  if (type instanceof IDL.PrincipalClass && value instanceof Principal) {
    return `principal "${value.toText()}"`;
  }
  if (type instanceof IDL.ServiceClass && value instanceof Principal) return `service "${value.toText()}"`;
  if (type instanceof IDL.FuncClass && Array.isArray(value)) {
    const [canister, method]: unknown[] = value;
    if (canister instanceof Principal && typeof method === 'string') {
      return `func "${canister.toText()}".${printName(method)}`;
    }
  }
  if (typeof value === 'bigint' || (typeof value === 'number' && Number.isInteger(value))) {
    return `${groupDigits(value)} : ${type.name}`;
  }
  throw disagreement(type, value);
}

/** A float as Candid text without its type: `1.0`, `-0.0`, `nan`, `-inf`. */
export function floatText(value: number): string {
  if (Number.isNaN(value)) return 'nan';
  if (!Number.isFinite(value)) return value > 0 ? 'inf' : '-inf';
  if (Object.is(value, -0)) return '-0.0';
  const text = String(value);
  return /^-?\d+$/.test(text) ? `${text}.0` : text;
}

function blobText(bytes: Uint8Array): string {
  let text = '';
  for (const byte of bytes) {
    const readable = byte >= 0x20 && byte < 0x7f && byte !== 0x22 && byte !== 0x5c;
    text += readable ? String.fromCharCode(byte) : `\\${byte.toString(16).padStart(2, '0')}`;
  }
  return text;
}

function bytesOf(type: IDL.Type, value: unknown): Uint8Array {
  if (value instanceof Uint8Array) return value;
  if (Array.isArray(value)) return Uint8Array.from(value, Number);
  throw disagreement(type, value);
}

/** A vec arrives as an array or, for numbers of a fixed size, as a typed array. */
function itemsOf(value: unknown): unknown[] {
  if (Array.isArray(value)) return value;
  if (ArrayBuffer.isView(value) && Symbol.iterator in value)
    return Array.from(value as Iterable<unknown> & ArrayBufferView);
  throw new CandidValueError('the value is not a list', '');
}

function objectOf(type: IDL.Type, value: unknown): Record<string, unknown> {
  if (typeof value !== 'object' || value === null) throw disagreement(type, value);
  return value as Record<string, unknown>;
}

function disagreement(type: IDL.Type, value: unknown): CandidValueError {
  return new CandidValueError(`a ${typeof value} is not a value of ${type.display()}`, '');
}
