import { replicaErrors } from '@cannery/ic/errors';
import type { HeapRangeTrap } from '@cannery/wasm/instance/trap';
import { type Invocation, type SystemFunction, systemFunction } from './system-function.ts';

/** The bytes of all parts behind each other. A single one is not copied. */
export function joinedBytes(parts: readonly Uint8Array[]): Uint8Array {
  const [only] = parts;
  if (parts.length === 1 && only) return only;
  const whole = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}

/** What the replica says of a range that does not lie where it should (`valid_subslice` of its system API). */
export function outOfRange(
  what: string,
  { start, length, size }: Pick<HeapRangeTrap, 'start' | 'length' | 'size'>,
): string {
  return `${what}: src=${start} + length=${length} exceeds the slice size=${size}`;
}

/** Throws when a range of the heap is not inside it, without a copy. */
export function requireInHeap(api: Invocation, what: string, start: number, length: number): void {
  const size = api.heapBytes();
  if (start + length > size) {
    throw replicaErrors.contractViolation(api.context.canister.id, outOfRange(what, { start, length, size }));
  }
}

/**
 * Copies `source[offset..offset+size]` to the heap at `destination`; traps when a range is not inside. `name` and
 * `part` are for the error text: the function and what it copies from.
 */
export function copyOut(
  api: Invocation,
  name: string,
  part: string,
  source: Uint8Array,
  [destination, offset, size]: readonly [destination: number, offset: number, size: number],
): void {
  requireInHeap(api, `ic0.${name} heap`, destination, size);
  if (offset + size > source.length) {
    throw replicaErrors.contractViolation(
      api.context.canister.id,
      outOfRange(`ic0.${name} ${part}`, { start: offset, length: size, size: source.length }),
    );
  }
  api.write(destination, source.subarray(offset, offset + size));
}

/**
 * The pair `<name>_size` and `<name>_copy` by which a canister fetches a blob. `part` names the blob in error texts.
 */
export function blobFunctions(
  name: string,
  part: string,
  from: string,
  source: (api: Invocation) => Uint8Array,
): readonly [SystemFunction, SystemFunction] {
  return [
    systemFunction(
      `${name}_size`,
      { params: [], result: 'ptr', from, charge: 500 },
      (api) => source(api).length,
    ),
    systemFunction(
      `${name}_copy`,
      { params: ['ptr', 'ptr', 'ptr'], from, charge: 500, sizes: [2] },
      (api, ...range) => copyOut(api, `${name}_copy`, part, source(api), range),
    ),
  ];
}

/** Longest text a canister can hand over, in bytes. */
const MAX_TEXT_BYTES = 10 * 1024 * 1024;

/** Text from the heap; traps when it is too long or not UTF-8. */
export function readText(api: Invocation, pointer: number, length: number, what: string): string {
  if (length > MAX_TEXT_BYTES) {
    throw replicaErrors.contractViolation(api.context.canister.id, `${what} is too long`);
  }
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(api.read(pointer, length));
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    throw replicaErrors.contractViolation(api.context.canister.id, `${what} is not valid UTF-8`);
  }
}

const MAX_PRINCIPAL_BYTES = 29;

/** The bytes of a principal from the heap; traps when there are too many. */
export function readPrincipal(api: Invocation, what: string, pointer: number, size: number): Uint8Array {
  requireInHeap(api, what, pointer, size);
  if (size > MAX_PRINCIPAL_BYTES) throw replicaErrors.invalidPrincipal(api.context.canister.id);
  return api.read(pointer, size);
}
