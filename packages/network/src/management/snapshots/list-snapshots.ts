import { snapshotSize } from '../../state/memory-usage.ts';
import { snapshotId } from '../../state/snapshot.ts';
import { canisterOf, managementMethod } from '../method/method.ts';
import { ownSnapshot } from './snapshot-access.ts';

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
