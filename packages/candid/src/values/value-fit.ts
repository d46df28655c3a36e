import { IDL } from '@icp-sdk/core/candid';
import { Principal } from '@icp-sdk/core/principal';
import { CandidValueError, type Position } from '../errors.ts';
import { fieldsOf } from '../types/field-order.ts';
import { formatType, isBlob } from '../types/format.ts';
import { keyId, printKey } from '../types/label.ts';
import { floatFor, integerFor, integerRange, parseFloatText, parseInteger } from '../types/number-text.ts';
import { textOf } from '../types/quoted.ts';
import { TypeConverter, unwrap } from '../types/to-idl.ts';
import type { FieldValueNode, ValueNode } from './value-parser.ts';

/**
 * Fits a written value to a type and returns it in the form the IDL library encodes: bigint for nat, int
 * and 64-bit numbers, number for smaller ones and floats, `[]` or `[value]` for opt, Uint8Array for blob,
 * array for vec and tuple, object for record and variant, Principal, `[Principal, method]` for func.
 * Throws CandidValueError with the path to the part that does not fit.
 */
export function fitValue(node: ValueNode, outer: IDL.Type, path: string): unknown {
  const type = unwrap(outer);
  if (node.kind === 'typed') {
    const annotated = new TypeConverter([]).convert(node.type);
    fitValue(node.inner, annotated, path);
    return fitValue(node.inner, type, path);
  }
  if (type instanceof IDL.OptClass) return fitOpt(node, type, path);
  if (type instanceof IDL.VecClass) return fitVec(node, type, path);
  if (type instanceof IDL.TupleClass) return fitTuple(node, type, path);
  if (type instanceof IDL.RecordClass) return fitRecord(node, type, path);
  if (type instanceof IDL.VariantClass) return fitVariant(node, type, path);
  if (type instanceof IDL.FuncClass && node.kind === 'func') {
    return [principalOf(node.id, path, node), node.method];
  }
  if (type instanceof IDL.ServiceClass && (node.kind === 'service' || node.kind === 'principal')) {
    return principalOf(node.id, path, node);
  }
  if (type instanceof IDL.PrincipalClass && node.kind === 'principal') {
    return principalOf(node.id, path, node);
  }
  if (type instanceof IDL.TextClass && node.kind === 'text') return textOf(node.bytes, node);
  if (type instanceof IDL.BoolClass && node.kind === 'bool') return node.value;
  if (type instanceof IDL.NullClass && node.kind === 'null') return null;
  if (type instanceof IDL.ReservedClass) return null;
  if (node.kind === 'number') return fitNumber(node.source, type, path, node);
  throw mismatch(node, type, path);
}

function fitNumber(source: string, type: IDL.Type, path: string, at: Position): unknown {
  if (type instanceof IDL.FloatClass) {
    const float = parseFloatText(source);
    const value = float === undefined ? undefined : floatFor(type, float);
    if (value !== undefined) return value;
    throw new CandidValueError(`${source} is outside the range of ${type.name}`, path, at);
  }
  const range = integerRange(type);
  if (!range) throw new CandidValueError(`expected ${formatType(type)}, but found a number`, path, at);
  const integer = parseInteger(source);
  if (integer === undefined) {
    throw new CandidValueError(`${source} is not a whole number, but the type is ${type.name}`, path, at);
  }
  const value = integerFor(type, integer);
  if (value === undefined) {
    throw new CandidValueError(`${source} is outside the range of ${type.name}: ${range.text}`, path, at);
  }
  return value;
}

function fitOpt(node: ValueNode, type: IDL.OptClass<unknown>, path: string): unknown {
  if (node.kind === 'opt') return [fitValue(node.inner, type._type, path)];
  if (node.kind === 'null') return [];
  // By the subtyping rules of Candid a plain value is also an optional one.
  return [fitValue(node, type._type, path)];
}

function fitVec(node: ValueNode, type: IDL.VecClass<unknown>, path: string): unknown {
  const blob = isBlob(type);
  if (blob && node.kind === 'blob') return node.bytes;
  if (node.kind !== 'vec') throw mismatch(node, type, path);
  const items = node.items.map((item, index) => fitValue(item, type._type, join(path, `item ${index + 1}`)));
  return blob ? Uint8Array.from(items, Number) : items;
}

function fitTuple(node: ValueNode, type: IDL.TupleClass<unknown[]>, path: string): unknown {
  const given = recordFields(node, type, path);
  return type._fields.map(([key, part]) => fitField(given, key, part, path, node));
}

function fitRecord(node: ValueNode, type: IDL.RecordClass, path: string): unknown {
  const given = recordFields(node, type, path);
  return Object.fromEntries(
    fieldsOf(type).map(([key, part]) => [key, fitField(given, key, part, path, node)]),
  );
}

function recordFields(node: ValueNode, type: IDL.RecordClass, path: string): Map<number, FieldValueNode> {
  if (node.kind !== 'record') throw mismatch(node, type, path);
  const known = new Set(type._fields.map(([key]) => keyId(key)));
  for (const { label, line, column } of node.fields) {
    if (known.has(label.id)) continue;
    const fields = fieldsOf(type).map(([key]) => printKey(key));
    const has = fields.length > 0 ? `it has ${fields.join(', ')}` : 'it has none';
    const message = `the record has no field ${label.name ?? label.id}; ${has}`;
    throw new CandidValueError(message, path, { line, column });
  }
  return new Map(node.fields.map((field) => [field.label.id, field]));
}

function fitField(
  given: ReadonlyMap<number, FieldValueNode>,
  key: string,
  type: IDL.Type,
  path: string,
  at: Position,
): unknown {
  const field = given.get(keyId(key));
  if (field) return fitValue(field.value, type, join(path, `field ${printKey(key)}`));
  const bare = unwrap(type);
  if (bare instanceof IDL.OptClass) return [];
  if (bare instanceof IDL.NullClass || bare instanceof IDL.ReservedClass) return null;
  throw new CandidValueError(`the field ${printKey(key)} (${formatType(type)}) is missing`, path, at);
}

function fitVariant(node: ValueNode, type: IDL.VariantClass, path: string): unknown {
  if (node.kind !== 'variant') throw mismatch(node, type, path);
  const { label, value } = node.field;
  const choice = type._fields.find(([key]) => keyId(key) === label.id);
  if (!choice) {
    const choices = fieldsOf(type).map(([key]) => printKey(key));
    const message = `the variant has no choice ${label.name ?? label.id}; it has ${choices.join(', ') || 'none'}`;
    throw new CandidValueError(message, path, node.field);
  }
  return { [choice[0]]: fitValue(value, choice[1], join(path, `choice ${printKey(choice[0])}`)) };
}

function principalOf(id: string, path: string, at: Position): Principal {
  try {
    return Principal.fromText(id);
  } catch {
    throw new CandidValueError(`"${id}" is not a valid principal`, path, at);
  }
}

function mismatch(node: ValueNode, type: IDL.Type, path: string): CandidValueError {
  const found = node.kind === 'opt' || node.kind === 'bool' ? `${node.kind} value` : node.kind;
  const article = /^[aeiou]/.test(found) ? 'an' : 'a';
  return new CandidValueError(`expected ${formatType(type)}, but found ${article} ${found}`, path, node);
}

function join(path: string, part: string): string {
  return path ? `${path}, ${part}` : part;
}
