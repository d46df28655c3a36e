import { replicaErrors } from '../../errors.ts';
import { STORE_PAGE_BYTES, WASM_PAGE_BYTES } from '../../limits.ts';
import type { Snapshot, SnapshotArea } from '../../state/snapshot.ts';

/** A range of bytes in a part of a snapshot. */
export interface Slice {
  readonly area: SnapshotArea;
  readonly offset: number;
  readonly size: number;
}

/** The slice, if it lies within the area; throws `invalidPayload` otherwise. */
export function checkSlice(snapshot: Snapshot, area: SnapshotArea, offset: bigint, size: bigint): Slice {
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
export function pagesOf({ offset, size }: Slice): {
  readonly first: number;
  readonly count: number;
  readonly skip: number;
} {
  const first = Math.floor(offset / STORE_PAGE_BYTES);
  const skip = offset - first * STORE_PAGE_BYTES;
  return { first, count: Math.ceil((skip + size) / STORE_PAGE_BYTES), skip };
}
