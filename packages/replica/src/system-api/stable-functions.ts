import { replicaErrors } from '@cannery/ic/errors';
import {
  MAX_DIRTY_STABLE_BYTES,
  MAX_STABLE32_PAGES,
  STABLE_DIRTY_PAGE_INSTRUCTIONS,
} from '@cannery/ic/limits';
import { type Invocation, type SystemFunction, systemFunction } from './system-function.ts';

const ANYWHERE = '* s';
const COPY_BYTES = 1024 * 1024;
const COPY_CHARGE = 20;
const GROW_CHARGE = 100;

function requireSmall(api: Invocation): void {
  if (api.stable.pages > MAX_STABLE32_PAGES) {
    throw replicaErrors.trapped(
      api.context.canister.id,
      '32 bit stable memory api used on a memory larger than 4GB',
    );
  }
}

/** A range of the heap; the replica copies with an instruction of the module, hence a trap and no contract violation. */
function requireInHeap(api: Invocation, start: number, size: number): void {
  if (start + size > api.heapBytes()) {
    throw replicaErrors.trapped(api.context.canister.id, 'heap out of bounds');
  }
}

function requireInside(api: Invocation, offset: number, size: number): void {
  if (offset + size > api.stable.bytes) {
    throw replicaErrors.trapped(api.context.canister.id, 'stable memory out of bounds');
  }
}

/** Cuts a range into parts, so that a copy is charged, and stopped, before it takes much memory. */
function* pieces(size: number): Generator<readonly [at: number, count: number]> {
  for (let at = 0; at < size; at += COPY_BYTES) yield [at, Math.min(COPY_BYTES, size - at)];
}

function write(api: Invocation, offset: number, source: number, size: number): void {
  requireInside(api, offset, size);
  requireInHeap(api, source, size);
  for (const [at, count] of pieces(size)) {
    if (!api.stable.mayWrite(offset + at, count)) {
      throw replicaErrors.memoryAccess(api.context.canister.id, MAX_DIRTY_STABLE_BYTES / 1024);
    }
    const fresh = api.stable.write(offset + at, api.read(source + at, count));
    api.charge(fresh * STABLE_DIRTY_PAGE_INSTRUCTIONS);
  }
}

function read(api: Invocation, destination: number, offset: number, size: number): void {
  requireInside(api, offset, size);
  requireInHeap(api, destination, size);
  for (const [at, count] of pieces(size)) api.write(destination + at, api.stable.read(offset + at, count));
}

/**
 * Stable memory; the 32-bit forms exist for canisters with 32-bit memory only. The replica implements them in the
 * module itself (dfinity/ic `rs/embedders/src/wasm_utils/system_api_replacements.rs`, charges `overhead_native`): the
 * size is free, and copying nothing succeeds wherever the pointers lead.
 */
export const stableFunctions: readonly SystemFunction[] = [
  systemFunction('stable64_size', { params: [], result: 'i64', from: ANYWHERE, charge: 0 }, ({ stable }) =>
    BigInt(stable.pages),
  ),
  systemFunction(
    'stable64_grow',
    { params: ['i64'], result: 'i64', from: ANYWHERE, charge: GROW_CHARGE },
    ({ stable }, pages) => BigInt(stable.grow(Number(pages))),
  ),
  systemFunction(
    'stable64_write',
    { params: ['i64', 'i64', 'i64'], from: ANYWHERE, charge: COPY_CHARGE, sizes: [2] },
    (api, offset, source, size) => {
      if (size > 0n) write(api, Number(offset), Number(source), Number(size));
    },
  ),
  systemFunction(
    'stable64_read',
    { params: ['i64', 'i64', 'i64'], from: ANYWHERE, charge: COPY_CHARGE, sizes: [2] },
    (api, destination, offset, size) => {
      if (size > 0n) read(api, Number(destination), Number(offset), Number(size));
    },
  ),
  systemFunction(
    'stable_size',
    { params: [], result: 'i32', from: ANYWHERE, charge: 0, memory32Only: true },
    (api) => {
      requireSmall(api);
      return api.stable.pages;
    },
  ),
  systemFunction(
    'stable_grow',
    { params: ['i32'], result: 'i32', from: ANYWHERE, charge: GROW_CHARGE, memory32Only: true },
    (api, pages) => {
      requireSmall(api);
      return api.stable.grow(pages, MAX_STABLE32_PAGES);
    },
  ),
  systemFunction(
    'stable_write',
    { params: ['i32', 'i32', 'i32'], from: ANYWHERE, charge: COPY_CHARGE, sizes: [2], memory32Only: true },
    (api, offset, source, size) => {
      if (size === 0) return;
      requireSmall(api);
      write(api, offset, source, size);
    },
  ),
  systemFunction(
    'stable_read',
    { params: ['i32', 'i32', 'i32'], from: ANYWHERE, charge: COPY_CHARGE, sizes: [2], memory32Only: true },
    (api, destination, offset, size) => {
      if (size === 0) return;
      requireSmall(api);
      read(api, destination, offset, size);
    },
  ),
];
