import type { CborReader } from '@cannery/ic/certification/tree/cbor-reader';
import { sha256 } from '@cannery/ic/certification/signatures/hash';
import {
  hashOfHashedPairs,
  hashOfNatural,
  UnhashableValueError,
} from '@cannery/ic/certification/signatures/representation-hash';
import { utf8 } from '@cannery/ic/certification/bytes';
import { badRequest } from '../transport/request-error.ts';

/** Longest principal of the interface specification, in bytes. */
export const MAX_PRINCIPAL_LENGTH = 29;

/** A value, and its part in the representation-independent hash of the map it is in. */
interface Hashed<T = unknown> {
  readonly value: T;
  readonly hash: Uint8Array;
}

/** Reads the value of a field, whose name is for messages. Throws `RequestError` 400 and `CborError`. */
export type ReadField<T = unknown> = (reader: CborReader, name: string) => Hashed<T>;

/** Which fields a map has, and of which kinds they are. */
export type Shape = Readonly<Record<string, ReadField>>;

/** Fields that were read, by name; a field that did not come is undefined. */
export type Fields = Readonly<Record<string, unknown>>;

/** More fields than any map of a request has. */
const MAX_FIELDS = 32;

/** A field of bytes; `check` gets them before they are hashed. */
export function bytesOf(check?: (bytes: Uint8Array, name: string) => void): ReadField<Uint8Array> {
  return (reader, name) => {
    if (reader.kind() !== 'bytes') throw badRequest(`field ${name} must be bytes`);
    const value = reader.bytes();
    check?.(value, name);
    return { value, hash: sha256(value) };
  };
}

/** A field of bytes that are no more than `most`. */
export function shortBytes(most: number): ReadField<Uint8Array> {
  return bytesOf(({ length }, name) => {
    if (length > most) throw badRequest(`field ${name} is longer than ${most} bytes`);
  });
}

/** A field with a principal. */
export const principalField = bytesOf(({ length }, name) => {
  if (length > MAX_PRINCIPAL_LENGTH) throw badRequest(`field ${name} is too long for a principal`);
});

/** A field of text that takes no more than `most` bytes. */
export function shortText(most: number): ReadField<string> {
  return (reader, name) => {
    if (reader.kind() !== 'text') throw badRequest(`field ${name} must be text`);
    const value = reader.text();
    const bytes = utf8(value);
    if (bytes.length > most) throw badRequest(`field ${name} is longer than ${most} bytes`);
    return { value, hash: sha256(bytes) };
  };
}

/** A field with a natural number of at most 64 bits. */
export const naturalField: ReadField<bigint> = (reader, name) => {
  if (reader.kind() !== 'natural') throw badRequest(`field ${name} must be a natural number`);
  const value = BigInt(reader.natural());
  return { value, hash: hashOfNatural(value) };
};

/** A field with a list of what `item` reads; `announced` gets how many there are before they are read. */
export function listOf<T>(item: ReadField<T>, announced?: (count: number) => void): ReadField<readonly T[]> {
  return (reader, name) => {
    if (reader.kind() !== 'array') throw badRequest(`field ${name} must be an array`);
    const values: T[] = [];
    const hashes: Uint8Array[] = [];
    reader.array(() => {
      const { value, hash } = item(reader, name);
      values.push(value);
      hashes.push(hash);
    }, announced);
    return { value: values, hash: sha256(...hashes) };
  };
}

/** A field with a map of this shape; `called` is what messages call it where that is not its name. */
export function mapOf(shape: Shape, called?: string): ReadField<Fields> {
  return (reader, name) => {
    if (reader.kind() !== 'map') throw badRequest(`${called ?? `field ${name}`} must be a map`);
    const fields = Object.create(null) as Record<string, unknown>;
    const hashes: (readonly [string, Uint8Array])[] = [];
    reader.map(() => {
      const field = reader.text();
      if (Object.hasOwn(fields, field)) throw badRequest(`not valid CBOR: found repeat map key "${field}"`);
      if (hashes.length >= MAX_FIELDS)
        throw badRequest(`a map of a request has at most ${MAX_FIELDS} fields`);
      const read = Object.hasOwn(shape, field) ? shape[field] : undefined;
      const { value, hash } = (read ?? unknownField)(reader, field);
      fields[field] = value;
      hashes.push([field, hash]);
    });
    return { value: fields, hash: hashOfHashedPairs(hashes) };
  };
}

/** A field that is not known counts for the hash only: nothing of it is kept. */
const unknownField: ReadField = (reader, name) => {
  switch (reader.kind()) {
    case 'bytes':
      return { value: null, hash: sha256(reader.bytes()) };
    case 'text':
      return { value: null, hash: sha256(utf8(reader.text())) };
    case 'natural':
      return { value: null, hash: hashOfNatural(BigInt(reader.natural())) };
    case 'array':
      return { value: null, hash: listOf(unknownField)(reader, name).hash };
    case 'map':
      throw badRequest(`field ${name.slice(0, 100)} is not known and may not hold a map`);
    default:
      throw new UnhashableValueError('only text, bytes, natural numbers, arrays and maps may be hashed');
  }
};
