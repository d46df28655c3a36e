import { replicaErrors } from '../../errors.ts';
import type { Environment } from '../../execution/environment.ts';
import { MAX_SNAPSHOTS } from '../../limits.ts';
import type { Canister } from '../../state/canister.ts';
import { sameId } from '../../state/canister-id.ts';
import { parseSnapshotId, type Snapshot } from '../../state/snapshot.ts';

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
