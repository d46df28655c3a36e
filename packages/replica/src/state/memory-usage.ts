import { MAX_CHUNK_BYTES, WASM_PAGE_BYTES } from '@cannery/ic/limits';
import type { Canister } from './canister.ts';
import { type CanisterLog, logBytes } from './canister-log.ts';
import type { Snapshot } from './snapshot.ts';

/** Size of a Wasm global in the state, in bytes. */
const GLOBAL_BYTES = 8;
/** Counted for a change in the history; the controllers it names, which the replica adds, are not. */
const CHANGE_BYTES = 128;

/** Logs are replaced, never changed, so that their size is counted once. */
const LOG_SIZES = new WeakMap<CanisterLog, number>();

function logSize(log: CanisterLog): number {
  if (log.records.length === 0) return 0;
  const known = LOG_SIZES.get(log);
  if (known !== undefined) return known;
  const size = logBytes(log);
  LOG_SIZES.set(log, size);
  return size;
}

/** `memory_metrics` of the interface: what each part of the canister's state takes, in bytes. */
export interface MemoryMetrics {
  readonly wasmMemory: number;
  readonly stableMemory: number;
  readonly globalMemory: number;
  readonly wasmBinary: number;
  readonly customSections: number;
  readonly canisterHistory: number;
  readonly wasmChunkStore: number;
  readonly snapshots: number;
  readonly logMemoryStore: number;
}

/** What the snapshots of a canister take, in bytes. */
function snapshotBytes({ snapshots }: Canister): number {
  return snapshots.reduce((sum, snapshot) => sum + snapshotSize(snapshot), 0);
}

/** `total_size` of a snapshot, in bytes. */
export function snapshotSize(snapshot: Snapshot): number {
  const { heapPages, stablePages, moduleBytes, globals, certifiedData, chunks } = snapshot;
  return (
    (heapPages + stablePages) * WASM_PAGE_BYTES +
    moduleBytes +
    globals.length * GLOBAL_BYTES +
    certifiedData.length +
    chunks.length * MAX_CHUNK_BYTES
  );
}

export function memoryMetrics(canister: Canister): MemoryMetrics {
  const { code, stablePages } = canister.record;
  return {
    wasmMemory: (code?.heapPages ?? 0) * WASM_PAGE_BYTES,
    stableMemory: stablePages * WASM_PAGE_BYTES,
    globalMemory: (code?.globals.length ?? 0) * GLOBAL_BYTES,
    wasmBinary: code?.moduleBytes ?? 0,
    customSections: code?.customSectionBytes ?? 0,
    canisterHistory: canister.history.recent.length * CHANGE_BYTES,
    wasmChunkStore: canister.chunks.length * MAX_CHUNK_BYTES,
    snapshots: snapshotBytes(canister),
    logMemoryStore: logSize(canister.log),
  };
}

/** `memory_size` of the interface, in bytes: the sum of the metrics. */
export function memoryUsage(canister: Canister): number {
  const metrics = memoryMetrics(canister);
  return (
    metrics.wasmMemory +
    metrics.stableMemory +
    metrics.globalMemory +
    metrics.wasmBinary +
    metrics.customSections +
    metrics.canisterHistory +
    metrics.wasmChunkStore +
    metrics.snapshots +
    metrics.logMemoryStore
  );
}
