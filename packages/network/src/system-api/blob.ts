import { replicaErrors } from '../errors.ts';
import { MAX_REPLY_BYTES } from '../limits.ts';
import { type Invocation, type SystemFunction, systemFunction } from './system-function.ts';

/** Copies `source[offset..offset+size]` to the heap at `destination`; traps when the range is not inside. */
export function copyOut(
  api: Invocation,
  source: Uint8Array,
  destination: number,
  offset: number,
  size: number,
): void {
  if (offset + size > source.length) {
    throw replicaErrors.contractViolation(
      api.context.canister.id,
      `ic0 copy out of range: offset ${offset} plus size ${size} exceeds the length ${source.length}`,
    );
  }
  api.write(destination, source.subarray(offset, offset + size));
}

/** The pair `<name>_size` and `<name>_copy` by which a canister fetches a blob. */
export function blobFunctions(
  name: string,
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
      { params: ['ptr', 'ptr', 'ptr'], from, charge: 500 },
      (api, destination, offset, size) => copyOut(api, source(api), destination, offset, size),
    ),
  ];
}

/** Longest text a canister can hand over, in bytes. */
const MAX_TEXT_BYTES = MAX_REPLY_BYTES;

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
