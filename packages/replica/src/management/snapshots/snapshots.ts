import { replicaErrors } from '@cannery/ic/errors';
import type { Environment } from '../../execution/environment.ts';
import { settleStopping } from '../../execution/stopping.ts';
import { uninstall } from '../../execution/uninstall.ts';
import { MAX_SNAPSHOTS, SNAPSHOT_BASELINE_INSTRUCTIONS } from '@cannery/ic/limits';
import { sameId } from '../../state/canister-id.ts';
import type { Canister } from '../../state/canister.ts';
import { memoryMetrics, memoryUsage, snapshotSize } from '../../state/memory-usage.ts';
import { parseSnapshotId, type Snapshot, snapshotId, snapshotSpace } from '../../state/snapshot.ts';
import { canisterOf, changeOrigin, type ManagementCall, managementMethod } from '../method/method.ts';
import { payForWork } from '../method/pay-for-work.ts';
import { shownGlobals, snapshotGlobals } from './module-globals.ts';

interface Owned {
  readonly owner: Canister;
  readonly snapshot: Snapshot;
}

/** The snapshot with this ID, whichever canister it belongs to; throws `snapshotNotFound` naming `canister`. */
export function anySnapshot(env: Environment, canister: Canister, id: Uint8Array): Owned {
  const parts = parseSnapshotId(id);
  const owner = parts && env.state.find(parts.canister);
  const snapshot = owner?.snapshots.find(({ local }) => local === parts?.local);
  if (!owner || !snapshot) throw replicaErrors.snapshotNotFound(canister.id, Buffer.from(id).toString('hex'));
  return { owner, snapshot };
}

/** The canister's own snapshot with this ID; throws `snapshotNotFound` or `snapshotNotOwned`. */
export function ownSnapshot(env: Environment, canister: Canister, id: Uint8Array): Snapshot {
  const { owner, snapshot } = anySnapshot(env, canister, id);
  if (!sameId(owner.id, canister.id)) {
    throw replicaErrors.snapshotNotOwned(canister.id, Buffer.from(id).toString('hex'));
  }
  return snapshot;
}

/** The snapshot a new one takes the place of, if any; throws when there is none to replace and no room for more. */
export function replacedSnapshot(
  env: Environment,
  canister: Canister,
  [id]: [] | [Uint8Array],
): Snapshot | undefined {
  if (id) return ownSnapshot(env, canister, id);
  if (canister.snapshots.length >= MAX_SNAPSHOTS) {
    throw replicaErrors.tooManySnapshots(canister.id, MAX_SNAPSHOTS);
  }
  return undefined;
}

export const listCanisterSnapshots = managementMethod({
  name: 'list_canister_snapshots',
  callers: { kind: 'viewers', visibility: (canister) => canister.record.settings.snapshotVisibility },
  target: (arg) => arg.canister_id,
  run({ env }, arg) {
    const canister = canisterOf(env, arg.canister_id);
    return canister.snapshots.map((snapshot) => ({
      id: snapshotId(canister.id, snapshot.local),
      taken_at_timestamp: snapshot.takenAtNanos,
      total_size: BigInt(snapshotSize(snapshot)),
    }));
  },
});

export const deleteCanisterSnapshot = managementMethod({
  name: 'delete_canister_snapshot',
  callers: { kind: 'controllers' },
  target: (arg) => arg.canister_id,
  run({ env, tx }, arg) {
    const canister = canisterOf(env, arg.canister_id);
    tx.removeSnapshot(canister, ownSnapshot(env, canister, arg.snapshot_id));
    tx.saveProgress(canister);
  },
});

/** The canister's state as a snapshot; throws `snapshotOfEmpty` when it has no code. */
function snapshotOf({ env, tx }: ManagementCall, { id, record, chunks }: Canister): Snapshot {
  const { code } = record;
  const module = code && env.store.getBlob(Buffer.from(code.moduleHash).toString('hex'));
  if (!code || !module) throw replicaErrors.snapshotOfEmpty(id);
  return {
    local: record.nextSnapshot,
    source: 'taken',
    takenAtNanos: tx.timeNanos,
    canisterVersion: record.version,
    moduleHash: code.moduleHash,
    moduleBytes: code.moduleBytes,
    globals: snapshotGlobals(shownGlobals(module), code.globals),
    heapPages: code.heapPages,
    stablePages: record.stablePages,
    certifiedData: record.certifiedData,
    globalTimer: record.globalTimer,
    lowMemoryHook: record.lowMemoryHook,
    chunks,
  };
}

/** What uninstalling gives back, in bytes. */
function uninstalledBytes(canister: Canister): number {
  const metrics = memoryMetrics(canister);
  return memoryUsage(canister) - metrics.canisterHistory - metrics.snapshots;
}

export const takeCanisterSnapshot = managementMethod({
  name: 'take_canister_snapshot',
  callers: { kind: 'controllers' },
  target: (arg) => arg.canister_id,
  run(call, arg) {
    const { env, tx } = call;
    const canister = canisterOf(env, arg.canister_id);
    const { record, key } = canister;
    const replaced = replacedSnapshot(env, canister, arg.replace_snapshot);
    const uninstalls = arg.uninstall_code[0] === true;
    const snapshot = snapshotOf(call, canister);
    const size = snapshotSize(snapshot);
    const freed = (replaced ? snapshotSize(replaced) : 0) + (uninstalls ? uninstalledBytes(canister) : 0);
    payForWork(call, canister, {
      instructions: SNAPSHOT_BASELINE_INSTRUCTIONS + BigInt(size),
      grownBytes: size - freed,
    });
    tx.copySpace(canister.heapSpace(), snapshotSpace(key, snapshot.local, 'heap'));
    tx.copySpace(canister.stableSpace(), snapshotSpace(key, snapshot.local, 'stable'));
    if (replaced) tx.removeSnapshot(canister, replaced);
    tx.saveSnapshot(canister, snapshot);
    tx.edit(canister).nextSnapshot += 1;
    if (uninstalls) {
      uninstall(env, tx, canister);
      tx.addChange(canister, {
        timestampNanos: tx.timeNanos,
        canisterVersion: record.version,
        origin: changeOrigin(call, arg.sender_canister_version),
        details: { kind: 'uninstall' },
      });
      settleStopping(tx, canister);
    }
    tx.saveCanister(canister);
    return {
      id: snapshotId(canister.id, snapshot.local),
      taken_at_timestamp: snapshot.takenAtNanos,
      total_size: BigInt(size),
    };
  },
});
