import { createHash } from 'node:crypto';
import { replicaErrors } from '@cannery/ic/errors';
import type { Environment } from '../../execution/environment.ts';
import { type CompiledModule, installedCode } from '../../execution/run/loaded-code.ts';
import {
  MAX_HEAP32_BYTES,
  MAX_HEAP64_BYTES,
  SNAPSHOT_BASELINE_INSTRUCTIONS,
  STORE_PAGE_BYTES,
  WASM_PAGE_BYTES,
} from '@cannery/ic/limits';
import type { Canister } from '../../state/canister.ts';
import { includesId } from '../../state/canister-id.ts';
import { memoryMetrics, snapshotSize } from '../../state/memory-usage.ts';
import { type Snapshot, snapshotId, snapshotSpace } from '../../state/snapshot.ts';
import { importFault } from '../../system-api/imports.ts';
import { canisterOf, changeOrigin, type ManagementCall, managementMethod } from '../method/method.ts';
import { shownGlobals, stateGlobals } from './module-globals.ts';
import { payForWork } from '../method/pay-for-work.ts';
import { anySnapshot } from './snapshots.ts';

interface SavedCode {
  readonly module: Uint8Array;
  readonly hash: Uint8Array;
  readonly compiled: CompiledModule;
  readonly globals: readonly (number | bigint)[];
}

/** The module of a snapshot as it was installed or uploaded. */
function moduleOf(env: Environment, owner: Canister, snapshot: Snapshot): Uint8Array {
  const { moduleHash, moduleBytes, local } = snapshot;
  if (moduleHash) {
    const module = env.store.getBlob(Buffer.from(moduleHash).toString('hex'));
    if (!module) throw replicaErrors.dataDamaged('the module of the snapshot is missing');
    return module;
  }
  const pages = Math.ceil(moduleBytes / STORE_PAGE_BYTES);
  return env.store.readPages(snapshotSpace(owner.key, local, 'module'), 0, pages).slice(0, moduleBytes);
}

/** The code of the snapshot, checked as at an installation. Throws `ReplicaError` naming `canister`. */
function savedCode(env: Environment, canister: Canister, owner: Canister, snapshot: Snapshot): SavedCode {
  const module = moduleOf(env, owner, snapshot);
  const hash = new Uint8Array(createHash('sha256').update(module).digest());
  const compiled = env.codes.modules.compile(canister.id, Buffer.from(hash).toString('hex'), module);
  const { imports, memory64 } = compiled.prepared;
  const fault = importFault(imports, memory64);
  if (fault !== undefined) throw replicaErrors.invalidWasm(canister.id, fault);
  const globals = stateGlobals(shownGlobals(module), snapshot.globals);
  if (!globals) {
    throw replicaErrors.invalidPayload(
      'Wasm exported globals of canister module and snapshot metadata do not match.',
    );
  }
  const heapLimit = memory64 ? MAX_HEAP64_BYTES : MAX_HEAP32_BYTES;
  if (BigInt(snapshot.heapPages) * BigInt(WASM_PAGE_BYTES) > heapLimit) {
    throw replicaErrors.invalidPayload(
      `Wasm memory of the snapshot exceeds the ${heapLimit} bytes a module of this kind can have.`,
    );
  }
  return { module, hash, compiled, globals };
}

/** Throws when the hook status of an uploaded snapshot contradicts the canister's settings. */
function checkHook({ record }: Canister, snapshot: Snapshot, { compiled }: SavedCode): void {
  const { lowMemoryHook, heapPages } = snapshot;
  if (snapshot.source !== 'uploaded' || lowMemoryHook === undefined) return;
  const { wasmMemoryLimit, wasmMemoryThreshold } = record.settings;
  const most = compiled.prepared.memory64 ? MAX_HEAP64_BYTES : MAX_HEAP32_BYTES;
  const capacity = wasmMemoryLimit === 0n ? most : wasmMemoryLimit;
  const satisfied = capacity < BigInt(heapPages) * BigInt(WASM_PAGE_BYTES) + wasmMemoryThreshold;
  if (satisfied === (lowMemoryHook !== 'condition_not_satisfied')) return;
  throw replicaErrors.invalidPayload(
    `Hook status (${lowMemoryHook}) of uploaded snapshot is inconsistent with the canister's state (hook condition satisfied: ${satisfied}).`,
  );
}

/** Replaces code and state of the canister by those of the snapshot. */
function restore(
  call: ManagementCall,
  canister: Canister,
  owner: Canister,
  snapshot: Snapshot,
  saved: SavedCode,
): void {
  const { env, tx } = call;
  const record = tx.edit(canister);
  const { prepared } = saved.compiled;
  env.codes.forget(canister);
  tx.dropCode(canister);
  record.heapGeneration += 1;
  record.stableGeneration += 1;
  tx.copySpace(snapshotSpace(owner.key, snapshot.local, 'heap'), canister.heapSpace());
  tx.copySpace(snapshotSpace(owner.key, snapshot.local, 'stable'), canister.stableSpace());
  env.store.putBlob(saved.module);
  record.code = installedCode(prepared, {
    moduleHash: saved.hash,
    moduleBytes: saved.module.length,
    installedAtNanos: tx.timeNanos,
    heapPages: snapshot.heapPages,
    globals: saved.globals,
  });
  record.stablePages = snapshot.stablePages;
  record.certifiedData = snapshot.certifiedData;
  if (snapshot.source === 'uploaded') {
    record.globalTimer = snapshot.globalTimer ?? record.globalTimer;
    record.lowMemoryHook = snapshot.lowMemoryHook ?? record.lowMemoryHook;
  }
  tx.setMetadata(canister, prepared.metadata);
  tx.setChunks(canister, snapshot.chunks);
}

export const loadCanisterSnapshot = managementMethod({
  name: 'load_canister_snapshot',
  callers: { kind: 'controllers' },
  target: (arg) => arg.canister_id,
  run(call, arg) {
    const { env, tx, sender } = call;
    const canister = canisterOf(env, arg.canister_id);
    const { record } = canister;
    const { owner, snapshot } = anySnapshot(env, canister, arg.snapshot_id);
    if (!includesId(owner.record.controllers, sender)) {
      const name = Buffer.from(arg.snapshot_id).toString('hex');
      throw replicaErrors.snapshotNotControlled(sender, name, canister.id);
    }
    const saved = savedCode(env, canister, owner, snapshot);
    checkHook(canister, snapshot, saved);
    const { wasmMemory, stableMemory, globalMemory, wasmBinary, wasmChunkStore } = memoryMetrics(canister);
    const size = snapshotSize(snapshot);
    payForWork(call, canister, {
      instructions: SNAPSHOT_BASELINE_INSTRUCTIONS + BigInt(size),
      memory64: saved.compiled.prepared.memory64,
      grownBytes: size - (wasmMemory + stableMemory + globalMemory + wasmBinary + wasmChunkStore),
    });
    restore(call, canister, owner, snapshot, saved);
    tx.edit(canister).version += 1n;
    tx.addChange(canister, {
      timestampNanos: tx.timeNanos,
      canisterVersion: record.version,
      origin: changeOrigin(call, arg.sender_canister_version),
      details: {
        kind: 'snapshot',
        from: owner === canister ? undefined : owner.id,
        snapshotId: snapshotId(owner.id, snapshot.local),
        canisterVersion: snapshot.canisterVersion,
        takenAtNanos: snapshot.takenAtNanos,
        source: snapshot.source,
      },
    });
    tx.saveCanister(canister);
    tx.certify(canister, true);
  },
});
