import { snapshotSize } from '../../state/memory-usage.ts';
import { snapshotId } from '../../state/snapshot.ts';
import { SnapshotArg, SnapshotInfos, type SnapshotName } from '../candid/candid-snapshots.ts';
import { type CanisterIdArg, CanisterIdRecord } from '../candid/candid-types.ts';
import { canisterOf, managementMethod } from '../method/method.ts';
import { ownSnapshot } from './snapshot-access.ts';

export const listCanisterSnapshots = managementMethod<CanisterIdArg>({
  name: 'list_canister_snapshots',
  arg: CanisterIdRecord,
  result: SnapshotInfos,
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

export const deleteCanisterSnapshot = managementMethod<SnapshotName>({
  name: 'delete_canister_snapshot',
  arg: SnapshotArg,
  callers: { kind: 'controllers' },
  target: (arg) => arg.canister_id,
  run({ env, tx }, arg) {
    const canister = canisterOf(env, arg.canister_id);
    tx.removeSnapshot(canister, ownSnapshot(env, canister, arg.snapshot_id));
    tx.saveProgress(canister);
  },
});
