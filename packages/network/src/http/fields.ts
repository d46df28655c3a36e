import { badRequest } from './request-error.ts';

/** A decoded CBOR map. All functions here throw `RequestError` 400 when a value is not of the kind asked for. */
export type Fields = Readonly<Record<string, unknown>>;

/** Longest principal of the interface specification, in bytes. */
export const MAX_PRINCIPAL_LENGTH = 29;

/** `value` as a map; `name` is what the error calls it. */
export function mapOf(value: unknown, name: string): Fields {
  const isMap =
    typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof Uint8Array);
  if (!isMap) throw badRequest(`${name} must be a map`);
  return value as Fields;
}

/** A field that must be there, of bytes. */
export function bytesField(fields: Fields, name: string): Uint8Array {
  const value = fields[name];
  if (!(value instanceof Uint8Array)) throw badRequest(`field ${name} must be bytes`);
  return value;
}

/** A field of bytes that may be missing. */
export function optionalBytesField(fields: Fields, name: string): Uint8Array | undefined {
  return fields[name] === undefined ? undefined : bytesField(fields, name);
}

/** A field of bytes that are no longer than a principal. */
export function principalField(fields: Fields, name: string): Uint8Array {
  const value = bytesField(fields, name);
  if (value.length > MAX_PRINCIPAL_LENGTH) throw badRequest(`field ${name} is too long for a principal`);
  return value;
}

/** A field of text. */
export function textField(fields: Fields, name: string): string {
  const value = fields[name];
  if (typeof value !== 'string') throw badRequest(`field ${name} must be text`);
  return value;
}

/** A natural number of at most 64 bits. */
export function natField(fields: Fields, name: string): bigint {
  const value = fields[name];
  if (typeof value === 'bigint' && value >= 0n) return value;
  if (typeof value === 'number' && Number.isSafeInteger(value) && value >= 0) return BigInt(value);
  throw badRequest(`field ${name} must be a natural number`);
}

/** A field that is an array of anything. */
export function arrayField(fields: Fields, name: string): readonly unknown[] {
  const value = fields[name];
  if (!Array.isArray(value)) throw badRequest(`field ${name} must be an array`);
  return value;
}
