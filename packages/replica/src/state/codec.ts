import { deserialize, serialize } from 'node:v8';

/** Encodes a value of the small state for the store. V8's format keeps bigints, typed arrays and undefined. */
export function encodeState(value: unknown): Uint8Array {
  return serialize(value);
}

/**
 * Decodes what `encodeState` wrote. The caller names the type: only this program writes these records.
 * Works on a copy, because the decoder returns views of its input.
 */
export function decodeState<T>(bytes: Uint8Array): T {
  return deserialize(Buffer.from(bytes)) as T;
}
