import type { IdKey } from './canister-id.ts';

/** A Wasm global as a snapshot shows it. */
export interface SnapshotGlobal {
  readonly type: 'i32' | 'i64' | 'f32' | 'f64' | 'v128';
  /** The bits as an unsigned number. */
  readonly bits: bigint;
}

/** Whether the hook for little memory is to run (interface specification, `on_low_wasm_memory`). */
export type LowMemoryHook = 'condition_not_satisfied' | 'ready' | 'executed';

/** A saved state of a canister. The pages are in their own page spaces, module and chunks among the blobs. */
export interface Snapshot {
  /** Counts the snapshots of the canister. */
  readonly local: number;
  readonly source: 'taken' | 'uploaded';
  readonly takenAtNanos: bigint;
  readonly canisterVersion: bigint;
  /** SHA-256 of the module (a blob); an uploaded module is in the page space `module` instead. */
  readonly moduleHash: Uint8Array | undefined;
  readonly moduleBytes: number;
  /** Globals that are mutable or exported, in the order of their index. */
  readonly globals: readonly SnapshotGlobal[];
  /** Wasm pages (64 KiB). */
  readonly heapPages: number;
  readonly stablePages: number;
  readonly certifiedData: Uint8Array;
  /** Nanoseconds since 1970, 0 for none; undefined when an upload left it out. */
  readonly globalTimer: bigint | undefined;
  readonly lowMemoryHook: LowMemoryHook | undefined;
  /** Hexadecimal SHA-256 of the chunks of the chunk store. */
  readonly chunks: readonly string[];
}

export type SnapshotArea = 'heap' | 'stable' | 'module';

/** Page space of a part of a snapshot. */
export function snapshotSpace(canister: IdKey, local: number, area: SnapshotArea): string {
  return `snapshot/${canister}/${local}/${area}`;
}

const LOCAL_ID_BYTES = 8;

/** The ID clients see: the local number as 8 big-endian bytes, then the canister's ID (dfinity/ic `SnapshotId`). */
export function snapshotId(canister: Uint8Array, local: number): Uint8Array {
  const id = new Uint8Array(LOCAL_ID_BYTES + canister.length);
  new DataView(id.buffer).setBigUint64(0, BigInt(local));
  id.set(canister, LOCAL_ID_BYTES);
  return id;
}

/** The parts of a snapshot's ID, or nothing when it has not that form. */
export function parseSnapshotId(
  id: Uint8Array,
): { readonly canister: Uint8Array; readonly local: number } | undefined {
  if (id.length <= LOCAL_ID_BYTES) return undefined;
  const local = new DataView(id.buffer, id.byteOffset).getBigUint64(0);
  if (local > BigInt(Number.MAX_SAFE_INTEGER)) return undefined;
  return { canister: id.slice(LOCAL_ID_BYTES), local: Number(local) };
}
