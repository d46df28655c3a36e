import { replicaErrors } from '@cannery/ic/errors';
import {
  MAX_CHUNK_BYTES,
  MAX_SNAPSHOT_SLICE_BYTES,
  SNAPSHOT_DATA_BASELINE_INSTRUCTIONS,
  STORE_PAGE_BYTES,
  WASM_PAGE_BYTES,
} from '@cannery/ic/limits';
import type { Canister } from '../../state/canister.ts';
import { type Snapshot, type SnapshotArea, snapshotSpace } from '../../state/snapshot.ts';
import { checkChunk } from '../canisters/install-code.ts';
import type { IcMethods } from '@cannery/ic/generated/ic-interface';
import { canisterOf, type ManagementCall, managementMethod } from '../method/method.ts';
import { payForWork } from '../method/pay-for-work.ts';
import { ownSnapshot } from './snapshots.ts';

/** A range of bytes in a part of a snapshot. */
interface Slice {
  readonly area: SnapshotArea;
  readonly offset: number;
  readonly size: number;
}

/** The slice, if it lies within the area; throws `invalidPayload` otherwise. */
function checkSlice(snapshot: Snapshot, area: SnapshotArea, offset: bigint, size: bigint): Slice {
  const bytes = {
    module: snapshot.moduleBytes,
    heap: snapshot.heapPages * WASM_PAGE_BYTES,
    stable: snapshot.stablePages * WASM_PAGE_BYTES,
  }[area];
  if (offset + size > BigInt(bytes)) {
    throw replicaErrors.invalidPayload(
      `Invalid subslice into wasm module / main memory / stable memory: offset: ${offset}, size: ${size}`,
    );
  }
  return { area, offset: Number(offset), size: Number(size) };
}

/** The pages (4 KiB) that hold the slice, and where it begins in them. */
function pagesOf({ offset, size }: Slice): {
  readonly first: number;
  readonly count: number;
  readonly skip: number;
} {
  const first = Math.floor(offset / STORE_PAGE_BYTES);
  const skip = offset - first * STORE_PAGE_BYTES;
  return { first, count: Math.ceil((skip + size) / STORE_PAGE_BYTES), skip };
}

function readSlice({ env }: ManagementCall, { key }: Canister, snapshot: Snapshot, slice: Slice): Uint8Array {
  const { area, offset, size } = slice;
  if (area === 'module' && snapshot.moduleHash) {
    const module = env.store.getBlob(Buffer.from(snapshot.moduleHash).toString('hex'));
    if (!module) throw replicaErrors.dataDamaged('the module of the snapshot is missing');
    return module.slice(offset, offset + size);
  }
  const { first, count, skip } = pagesOf(slice);
  const pages = env.store.readPages(snapshotSpace(key, snapshot.local, area), first, count);
  return pages.slice(skip, skip + size);
}

function readChunk({ env }: ManagementCall, snapshot: Snapshot, hash: Uint8Array): Uint8Array {
  const name = Buffer.from(hash).toString('hex');
  const chunk = snapshot.chunks.includes(name) ? env.store.getBlob(name) : undefined;
  if (!chunk) throw replicaErrors.chunkStore(`WasmChunkHash ${name} not found`);
  return chunk;
}

type Wanted =
  | { readonly area: Slice['area']; readonly offset: bigint; readonly size: bigint }
  | { readonly area: 'chunk'; readonly hash: Uint8Array; readonly size: bigint };

function wanted(kind: IcMethods['read_canister_snapshot_data']['arg']['kind']): Wanted {
  if ('wasm_module' in kind) return { area: 'module', ...kind.wasm_module };
  if ('wasm_memory' in kind) return { area: 'heap', ...kind.wasm_memory };
  if ('stable_memory' in kind) return { area: 'stable', ...kind.stable_memory };
  return { area: 'chunk', hash: kind.wasm_chunk.hash, size: BigInt(MAX_CHUNK_BYTES) };
}

export const readCanisterSnapshotData = managementMethod({
  name: 'read_canister_snapshot_data',
  callers: { kind: 'viewers', visibility: (canister) => canister.record.settings.snapshotVisibility },
  target: (arg) => arg.canister_id,
  run(call, { canister_id, snapshot_id, kind }) {
    const canister = canisterOf(call.env, canister_id);
    const snapshot = ownSnapshot(call.env, canister, snapshot_id);
    const part = wanted(kind);
    if (part.size > BigInt(MAX_SNAPSHOT_SLICE_BYTES)) {
      throw replicaErrors.invalidPayload(
        `Requested slice too large: ${part.size} > ${MAX_SNAPSHOT_SLICE_BYTES}`,
      );
    }
    const chunk =
      part.area === 'chunk'
        ? readChunk(call, snapshot, part.hash)
        : readSlice(call, canister, snapshot, checkSlice(snapshot, part.area, part.offset, part.size));
    payForWork(call, canister, { instructions: SNAPSHOT_DATA_BASELINE_INSTRUCTIONS + part.size });
    call.tx.saveProgress(canister);
    return { chunk };
  },
});

type Place = { readonly area: Slice['area']; readonly offset: bigint } | { readonly area: 'chunk' };

function placeOf(kind: IcMethods['upload_canister_snapshot_data']['arg']['kind']): Place {
  if ('wasm_module' in kind) return { area: 'module', ...kind.wasm_module };
  if ('wasm_memory' in kind) return { area: 'heap', ...kind.wasm_memory };
  if ('stable_memory' in kind) return { area: 'stable', ...kind.stable_memory };
  return { area: 'chunk' };
}

/** Writes the bytes over what the pages around them hold. */
function writeSlice(
  call: ManagementCall,
  { key }: Canister,
  local: number,
  slice: Slice,
  bytes: Uint8Array,
): void {
  const space = snapshotSpace(key, local, slice.area);
  const { first, count, skip } = pagesOf(slice);
  const pages = call.env.store.readPages(space, first, count);
  pages.set(bytes, skip);
  for (let page = 0; page < count; page++) {
    const start = page * STORE_PAGE_BYTES;
    call.tx.writePage(space, first + page, pages.subarray(start, start + STORE_PAGE_BYTES));
  }
}

export const uploadCanisterSnapshotData = managementMethod({
  name: 'upload_canister_snapshot_data',
  callers: { kind: 'controllers' },
  target: (arg) => arg.canister_id,
  run(call, { canister_id, snapshot_id, kind, chunk }) {
    const { env, tx } = call;
    const canister = canisterOf(env, canister_id);
    const snapshot = ownSnapshot(env, canister, snapshot_id);
    if (snapshot.source !== 'uploaded') throw replicaErrors.snapshotImmutable();
    const place = placeOf(kind);
    const instructions = SNAPSHOT_DATA_BASELINE_INSTRUCTIONS + BigInt(chunk.length);
    if (place.area === 'chunk') {
      const { name, isNew } = checkChunk(snapshot.chunks, chunk);
      payForWork(call, canister, { instructions, grownBytes: isNew ? MAX_CHUNK_BYTES : 0 });
      if (isNew) {
        env.store.putBlob(chunk);
        tx.saveSnapshot(canister, { ...snapshot, chunks: [...snapshot.chunks, name] });
      }
    } else {
      const slice = checkSlice(snapshot, place.area, place.offset, BigInt(chunk.length));
      payForWork(call, canister, { instructions });
      writeSlice(call, canister, snapshot.local, slice, chunk);
    }
    tx.saveProgress(canister);
  },
});
