import { replicaErrors } from '@cannery/ic/errors';
import {
  MAX_CERTIFIED_DATA_BYTES,
  MAX_HEAP64_BYTES,
  MAX_STABLE_PAGES,
  MAX_WASM_MODULE_BYTES,
  SNAPSHOT_BASELINE_INSTRUCTIONS,
  STORE_PAGE_BYTES,
  WASM_PAGE_BYTES,
} from '@cannery/ic/limits';
import { snapshotSize } from '../../state/memory-usage.ts';
import { type Snapshot, type SnapshotGlobal, snapshotId, snapshotSpace } from '../../state/snapshot.ts';
import type { IcMethods, IcTypes } from '@cannery/ic/generated/ic-interface';
import { canisterOf, managementMethod } from '../method/method.ts';
import { payForWork } from '../method/pay-for-work.ts';
import { ownSnapshot, replacedSnapshot } from './snapshots.ts';

type CandidGlobal = IcTypes['global'];

/** A global as `read_canister_snapshot_metadata` shows it. */
function candidGlobal({ type, bits }: SnapshotGlobal): CandidGlobal {
  const view = new DataView(new ArrayBuffer(8));
  view.setBigUint64(0, BigInt.asUintN(64, bits));
  if (type === 'i32') return { i32: view.getInt32(4) };
  if (type === 'i64') return { i64: view.getBigInt64(0) };
  if (type === 'f32') return { f32: view.getFloat32(4) };
  if (type === 'f64') return { f64: view.getFloat64(0) };
  return { v128: bits };
}

/** The global a client uploaded. */
function globalOf(value: CandidGlobal): SnapshotGlobal {
  const view = new DataView(new ArrayBuffer(8));
  if ('v128' in value) return { type: 'v128', bits: BigInt.asUintN(128, value.v128) };
  if ('i64' in value) return { type: 'i64', bits: BigInt.asUintN(64, value.i64) };
  if ('i32' in value) return { type: 'i32', bits: BigInt(value.i32 >>> 0) };
  if ('f32' in value) {
    view.setFloat32(4, value.f32);
    return { type: 'f32', bits: view.getBigUint64(0) };
  }
  view.setFloat64(0, value.f64);
  return { type: 'f64', bits: view.getBigUint64(0) };
}

const MAX_GLOBALS = 1_000;

export const readCanisterSnapshotMetadata = managementMethod({
  name: 'read_canister_snapshot_metadata',
  callers: { kind: 'viewers', visibility: (canister) => canister.record.settings.snapshotVisibility },
  target: (arg) => arg.canister_id,
  run({ env }, arg) {
    const snapshot = ownSnapshot(env, canisterOf(env, arg.canister_id), arg.snapshot_id);
    const { globalTimer, lowMemoryHook } = snapshot;
    return {
      source: snapshot.source === 'taken' ? { taken_from_canister: null } : { metadata_upload: null },
      taken_at_timestamp: snapshot.takenAtNanos,
      wasm_module_size: BigInt(snapshot.moduleBytes),
      globals: snapshot.globals.map(candidGlobal),
      wasm_memory_size: BigInt(snapshot.heapPages * WASM_PAGE_BYTES),
      stable_memory_size: BigInt(snapshot.stablePages * WASM_PAGE_BYTES),
      wasm_chunk_store: snapshot.chunks.map((hash) => ({ hash: new Uint8Array(Buffer.from(hash, 'hex')) })),
      canister_version: snapshot.canisterVersion,
      certified_data: snapshot.certifiedData,
      global_timer:
        globalTimer === undefined ? [] : [globalTimer > 0n ? { active: globalTimer } : { inactive: null }],
      on_low_wasm_memory_hook_status: lowMemoryHook === undefined ? [] : [{ [lowMemoryHook]: null }],
    };
  },
});

function hookOf(status: IcTypes['on_low_wasm_memory_hook_status']): NonNullable<Snapshot['lowMemoryHook']> {
  if ('ready' in status) return 'ready';
  return 'executed' in status ? 'executed' : 'condition_not_satisfied';
}

/** A size in bytes as Wasm pages; throws `invalidPayload` when it is too large or no whole number of pages. */
function pagesOf(name: string, bytes: bigint, limit: bigint): number {
  if (bytes > limit || bytes % BigInt(WASM_PAGE_BYTES) !== 0n) {
    throw invalid(`${name} must be a multiple of ${WASM_PAGE_BYTES} bytes, at most ${limit}, got ${bytes}`);
  }
  return Number(bytes) / WASM_PAGE_BYTES;
}

const invalid = (reason: string): Error =>
  replicaErrors.invalidPayload(`Snapshot Metadata contains invalid data: ${reason}`);

function checkMetadata(arg: IcMethods['upload_canister_snapshot_metadata']['arg']): void {
  if (arg.wasm_module_size > BigInt(MAX_WASM_MODULE_BYTES)) {
    throw invalid(`wasm_module_size ${arg.wasm_module_size} exceeds ${MAX_WASM_MODULE_BYTES}`);
  }
  if (arg.globals.length > MAX_GLOBALS) throw invalid(`more than ${MAX_GLOBALS} globals`);
  if (arg.certified_data.length > MAX_CERTIFIED_DATA_BYTES) {
    throw invalid(`certified_data is longer than ${MAX_CERTIFIED_DATA_BYTES} bytes`);
  }
}

export const uploadCanisterSnapshotMetadata = managementMethod({
  name: 'upload_canister_snapshot_metadata',
  callers: { kind: 'controllers' },
  target: (arg) => arg.canister_id,
  run(call, arg) {
    const { env, tx } = call;
    const canister = canisterOf(env, arg.canister_id);
    const { record, key } = canister;
    checkMetadata(arg);
    const [timer] = arg.global_timer;
    const [hook] = arg.on_low_wasm_memory_hook_status;
    const snapshot: Snapshot = {
      local: record.nextSnapshot,
      source: 'uploaded',
      takenAtNanos: tx.timeNanos,
      canisterVersion: record.version,
      moduleHash: undefined,
      moduleBytes: Number(arg.wasm_module_size),
      globals: arg.globals.map(globalOf),
      heapPages: pagesOf('wasm_memory_size', arg.wasm_memory_size, MAX_HEAP64_BYTES),
      stablePages: pagesOf(
        'stable_memory_size',
        arg.stable_memory_size,
        BigInt(MAX_STABLE_PAGES) * BigInt(WASM_PAGE_BYTES),
      ),
      certifiedData: arg.certified_data,
      globalTimer: timer && ('active' in timer ? timer.active : 0n),
      lowMemoryHook: hook && hookOf(hook),
      chunks: [],
    };
    const replaced = replacedSnapshot(env, canister, arg.replace_snapshot);
    const size = snapshotSize(snapshot);
    payForWork(call, canister, {
      instructions: SNAPSHOT_BASELINE_INSTRUCTIONS + BigInt(size),
      grownBytes: size - (replaced ? snapshotSize(replaced) : 0),
    });
    if (replaced) tx.removeSnapshot(canister, replaced);
    const storePages = WASM_PAGE_BYTES / STORE_PAGE_BYTES;
    tx.resizeSpace(snapshotSpace(key, snapshot.local, 'heap'), snapshot.heapPages * storePages);
    tx.resizeSpace(snapshotSpace(key, snapshot.local, 'stable'), snapshot.stablePages * storePages);
    tx.saveSnapshot(canister, snapshot);
    tx.edit(canister).nextSnapshot += 1;
    tx.saveCanister(canister);
    return { snapshot_id: snapshotId(canister.id, snapshot.local) };
  },
});
