import { IDL } from '@icp-sdk/core/candid';
import { CandidValueError } from '../errors.ts';
import { formatType } from '../types/format.ts';
import { fitValue } from './value-fit.ts';
import { parseValueList } from './value-parser.ts';

/**
 * Reads arguments written as Candid text, such as `(42, "x", record { a = 1 })`, for the given types.
 * Trailing arguments that may be left out (opt, null, reserved) may be missing. The result is what
 * `IDL.encode` takes. Throws CandidSyntaxError or CandidValueError.
 */
export function parseValues(text: string, types: readonly IDL.Type[]): unknown[] {
  const nodes = text.trim() === '' ? [] : parseValueList(text);
  if (nodes.length > types.length) {
    const wanted = `${types.length} argument${types.length === 1 ? '' : 's'}`;
    throw new CandidValueError(`expected ${wanted}, but found ${nodes.length}`, '', nodes[types.length]);
  }
  return types.map((type, index) => {
    const node = nodes[index];
    const path = `argument ${index + 1}`;
    if (node) return fitValue(node, type, path);
    if (type instanceof IDL.OptClass) return [];
    if (type instanceof IDL.NullClass || type instanceof IDL.ReservedClass) return null;
    throw new CandidValueError(`a value of type ${formatType(type)} is missing`, path);
  });
}

/** Reads arguments written as Candid text and encodes them. Throws CandidSyntaxError or CandidValueError. */
export function encodeText(text: string, types: readonly IDL.Type[]): Uint8Array {
  return IDL.encode([...types], parseValues(text, types));
}

/** Reads arguments written as Candid text whose types are not known. Throws CandidSyntaxError. */
export function checkValueText(text: string): void {
  if (text.trim() !== '') parseValueList(text);
}
