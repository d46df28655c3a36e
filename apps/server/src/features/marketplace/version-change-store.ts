import type { Selectable } from 'kysely';
import type { NamedRequest } from '../../db/answer-once.ts';
import { hashOfRequest } from '../../db/answer-once.ts';
import type { VersionChangesTable } from '../../db/tables/marketplace-tables.ts';
import type { Reader, Tx } from '../../db/tx.ts';
import type { Actor } from '../../http/actor.ts';

/**
 * A change of an installed dapp from one version to another that is under way. The row is committed before the canister is
 * stopped and says all that is needed to end the change: the code that the canister has by then tells whether it is done.
 */
export type VersionChange = Selectable<VersionChangesTable>;

/** What a change is to do. */
export interface PlannedChange {
  readonly kind: VersionChange['kind'];
  /** Hash of the code that the canister has when the change is done. */
  readonly targetHash: string;
  /** What ran before; only for an upgrade. */
  readonly before: { readonly version: string; readonly moduleHash: string } | null;
  readonly snapshotsBefore: readonly string[];
  /** The snapshot to go back to; null for an upgrade, which takes one. */
  readonly snapshotId: string | null;
}

export async function insertVersionChange(
  tx: Tx,
  planned: PlannedChange & { canisterId: string; wasRunning: boolean; request: NamedRequest },
): Promise<VersionChange> {
  const { request } = planned;
  return tx
    .insertInto('version_changes')
    .values({
      canister_id: planned.canisterId,
      user_id: request.userId,
      kind: planned.kind,
      target_hash: planned.targetHash,
      was_running: planned.wasRunning,
      before_version: planned.before?.version ?? null,
      before_hash: planned.before?.moduleHash ?? null,
      snapshots_before: [...planned.snapshotsBefore],
      snapshot_id: planned.snapshotId,
      request_key: request.key ?? null,
      request_hash: request.key === undefined ? null : hashOfRequest(request),
    })
    .returningAll()
    .executeTakeFirstOrThrow();
}

/** Notes the snapshot that an upgrade has taken. */
export async function noteSnapshot(tx: Tx, canisterId: string, snapshotId: string): Promise<void> {
  await tx
    .updateTable('version_changes')
    .set({ snapshot_id: snapshotId })
    .where('canister_id', '=', canisterId)
    .execute();
}

export async function deleteVersionChange(tx: Tx, canisterId: string): Promise<void> {
  await tx.deleteFrom('version_changes').where('canister_id', '=', canisterId).execute();
}

/** The change of a canister that is under way. */
export async function findVersionChange(db: Reader, canisterId: string): Promise<VersionChange | undefined> {
  return db
    .selectFrom('version_changes')
    .selectAll()
    .where('canister_id', '=', canisterId)
    .executeTakeFirst();
}

/** The change that is under way for a request of a user. */
export async function findRequestedChange(
  db: Reader,
  request: { userId: string; key: string },
): Promise<VersionChange | undefined> {
  return db
    .selectFrom('version_changes')
    .selectAll()
    .where('user_id', '=', request.userId)
    .where('request_key', '=', request.key)
    .executeTakeFirst();
}

/** Changes that no process works on, the oldest first, each with its user. */
export async function listAbandonedChanges(
  db: Reader,
  limit: number,
): Promise<{ canisterId: string; user: Actor }[]> {
  const rows = await db
    .selectFrom('version_changes')
    .innerJoin('canisters', 'canisters.id', 'version_changes.canister_id')
    .innerJoin('users', 'users.id', 'version_changes.user_id')
    .select(['canisters.id as canister_id', 'users.id as user_id', 'users.username'])
    .where((where) => where.or([where('action_id', 'is', null), where('action_expires_at', '<', new Date())]))
    .orderBy('version_changes.created_at')
    .limit(limit)
    .execute();
  return rows.map((row) => ({
    canisterId: row.canister_id,
    user: { id: row.user_id, username: row.username },
  }));
}
