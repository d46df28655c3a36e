import { sql } from 'kysely';
import type { CodeOrigin } from '../../../db/tables/code-origin.ts';
import type { Reader, Tx } from '../../../db/tx.ts';
import { jsonText } from '../../../db/json-text.ts';

/** A snapshot of a canister. */
interface SnapshotName {
  readonly canisterId: string;
  readonly snapshotId: string;
}

/**
 * Writes down where the code in a new snapshot came from: what is written down of the canister, if that is for this code.
 * @param taken.moduleHash of the code that the canister had when the snapshot was taken
 * @param taken.replaced the snapshot that has gone for it
 */
export async function keepSnapshotOrigin(
  tx: Tx,
  taken: SnapshotName & { moduleHash: string; replaced: string | undefined },
): Promise<void> {
  const { canisterId, snapshotId, moduleHash, replaced } = taken;
  if (replaced !== undefined) await forgetSnapshotOrigin(tx, { canisterId, snapshotId: replaced });
  await sql`
    insert into snapshot_origins (canister_id, snapshot_id, module_hash, origin)
    select id, ${snapshotId}, ${moduleHash},
      case when origin_hash = ${moduleHash} then origin else '{"kind": "unknown"}'::jsonb end
    from canisters where id = ${canisterId}
    on conflict (canister_id, snapshot_id) do update
    set module_hash = excluded.module_hash, origin = excluded.origin`.execute(tx);
}

/** The same for a snapshot that a crash has cut off, of which it was written down before what it would hold. */
export async function adoptSnapshotOrigin(
  tx: Tx,
  adopted: SnapshotName & { moduleHash: string; origin: CodeOrigin },
): Promise<void> {
  await tx
    .insertInto('snapshot_origins')
    .values({
      canister_id: adopted.canisterId,
      snapshot_id: adopted.snapshotId,
      module_hash: adopted.moduleHash,
      origin: jsonText(adopted.origin),
    })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

export async function forgetSnapshotOrigin(tx: Tx, { canisterId, snapshotId }: SnapshotName): Promise<void> {
  await tx
    .deleteFrom('snapshot_origins')
    .where('canister_id', '=', canisterId)
    .where('snapshot_id', '=', snapshotId)
    .execute();
}

/** What is written down of a snapshot; undefined for one that others have taken. */
export async function findSnapshotOrigin(
  db: Reader,
  { canisterId, snapshotId }: SnapshotName,
): Promise<{ module_hash: string; origin: CodeOrigin } | undefined> {
  return db
    .selectFrom('snapshot_origins')
    .select(['module_hash', 'origin'])
    .where('canister_id', '=', canisterId)
    .where('snapshot_id', '=', snapshotId)
    .executeTakeFirst();
}
