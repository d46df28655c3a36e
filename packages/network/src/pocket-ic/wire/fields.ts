import { badRequest } from '../../http/transport/request-error.ts';
import type { Json } from './json.ts';

/** The fields of a JSON object. */
export type Fields = { readonly [name: string]: Json | undefined };

/** Longest principal, in bytes. */
const MOST_PRINCIPAL_BYTES = 29;

/** Throws `RequestError` 400 where `value` is no object. */
export function fieldsOf(value: Json | undefined, what = 'The body'): Fields {
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Fields;
  throw badRequest(`${what} must be an object.`);
}

/** A field that may be absent or null. */
export function optionalField(fields: Fields, name: string): Json | undefined {
  const value = Object.hasOwn(fields, name) ? fields[name] : undefined;
  return value === null ? undefined : value;
}

/** Throws `RequestError` 400 where the field is no text. */
export function textField(fields: Fields, name: string): string {
  const value = optionalField(fields, name);
  if (typeof value !== 'string') throw badRequest(`${name} must be a text.`);
  return value;
}

/** A whole number from 0 on; throws `RequestError` 400. */
export function natField(fields: Fields, name: string): bigint {
  const value = optionalField(fields, name);
  const isNat = typeof value === 'bigint' ? value >= 0n : Number.isSafeInteger(value) && Number(value) >= 0;
  if (!isNat) throw badRequest(`${name} must be a whole number from 0 on.`);
  return BigInt(value as bigint | number);
}

/** The elements of a list; throws `RequestError` 400. An absent list is empty. */
export function listField(fields: Fields, name: string): readonly Json[] {
  const value = optionalField(fields, name) ?? [];
  if (!Array.isArray(value)) throw badRequest(`${name} must be a list.`);
  return value as readonly Json[];
}

/** Bytes, as Base64 or as a list of numbers; throws `RequestError` 400. */
export function bytesField(fields: Fields, name: string): Uint8Array {
  const value = optionalField(fields, name);
  if (typeof value === 'string') return bytesOf(value, name);
  if (Array.isArray(value)) return Uint8Array.from(value as readonly Json[], (each) => byteOf(each, name));
  throw badRequest(`${name} must be Base64.`);
}

function byteOf(value: Json, name: string): number {
  if (Number.isInteger(value) && Number(value) >= 0 && Number(value) <= 0xff) return Number(value);
  throw badRequest(`${name} must be bytes.`);
}

function bytesOf(text: string, name: string): Uint8Array {
  const bytes = Buffer.from(text, 'base64');
  // Node skips what is no Base64; what it read says how long the text must have been.
  if (Math.ceil(bytes.length / 3) * 4 !== text.length) throw badRequest(`${name} is not Base64.`);
  return new Uint8Array(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}

/** A principal as Base64; throws `RequestError` 400. */
export function principalField(fields: Fields, name: string): Uint8Array {
  const bytes = bytesField(fields, name);
  if (bytes.length > MOST_PRINCIPAL_BYTES) throw badRequest(`${name} is too long for a principal.`);
  return Uint8Array.from(bytes);
}

export function base64(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('base64');
}
