import type { Selectable } from 'kysely';
import type { CodeOrigin } from '../../../db/tables/code-origin.ts';
import type { DeployUpgradesTable } from '../../../db/tables/deploy-tables.ts';
import type { Reader, Tx } from '../../../db/tx.ts';
import type { Actor } from '../../../http/actor.ts';

/** A canister that a run upgrades or has upgraded, and that can go back to the snapshot that the run has taken of it. */
export type UpgradeRow = Selectable<DeployUpgradesTable>;

/** Phases in which the canister may be stopped; no other action runs on it. */
const CUT_OFF = ['upgrading', 'restoring', 'restored'] as const;

/**
 * Writes down that a run is about to upgrade a canister. A snapshot that an earlier attempt of the run has taken stays the one
 * to go back to.
 */
export async function beginUpgrade(
  tx: Tx,
  upgrade: Pick<
    UpgradeRow,
    'canister_id' | 'user_id' | 'instance_id' | 'name' | 'was_running' | 'before_hash' | 'target_hash'
  > & { snapshots_before: string[]; before_origin: CodeOrigin },
): Promise<UpgradeRow> {
  const { canister_id: id, instance_id: run, target_hash } = upgrade;
  const before_origin = JSON.stringify(upgrade.before_origin);
  await tx
    .deleteFrom('deploy_upgrades')
    .where('canister_id', '=', id)
    .where('instance_id', '<>', run)
    .execute();
  return tx
    .insertInto('deploy_upgrades')
    .values({ ...upgrade, before_origin, phase: 'upgrading', snapshot_id: null })
    .onConflict((conflict) => conflict.column('canister_id').doUpdateSet({ phase: 'upgrading', target_hash }))
    .returningAll()
    .executeTakeFirstOrThrow();
}

export async function findUpgrade(db: Reader, canisterId: string): Promise<UpgradeRow | undefined> {
  return db
    .selectFrom('deploy_upgrades')
    .selectAll()
    .where('canister_id', '=', canisterId)
    .executeTakeFirst();
}

/** Notes the snapshot that a run has taken of a canister: it can go back to that, and the next run replaces it. */
export async function noteTaken(tx: Tx, canisterId: string, snapshotId: string): Promise<void> {
  const taken = { snapshot_id: snapshotId };
  await tx.updateTable('deploy_upgrades').set(taken).where('canister_id', '=', canisterId).execute();
  await tx
    .insertInto('automatic_snapshots')
    .values({ canister_id: canisterId, ...taken })
    .onConflict((conflict) => conflict.column('canister_id').doUpdateSet(taken))
    .execute();
}

/** The newest snapshot of a canister that a run has taken; the user may have deleted it since. */
export async function automaticSnapshotOf(db: Reader, canisterId: string): Promise<string | undefined> {
  const row = await db
    .selectFrom('automatic_snapshots')
    .select('snapshot_id')
    .where('canister_id', '=', canisterId)
    .executeTakeFirst();
  return row?.snapshot_id;
}

export async function setPhase(tx: Tx, canisterId: string, phase: UpgradeRow['phase']): Promise<void> {
  await tx.updateTable('deploy_upgrades').set({ phase }).where('canister_id', '=', canisterId).execute();
}

/**
 * Writes down what has become of an upgrade, once the canister needs nothing any more. Of a run that is over nothing is kept.
 * @param ended.hash of the code that the canister has
 */
export async function settleUpgrade(
  tx: Tx,
  { canister_id: id, instance_id: run }: UpgradeRow,
  { phase, hash }: { phase: 'upgraded' | 'returned'; hash: string },
): Promise<void> {
  const open = await tx
    .selectFrom('deploy_instances')
    .select('id')
    .where('id', '=', run)
    .where('status', 'in', ['SCHEDULED', 'RUNNING'])
    .forUpdate()
    .executeTakeFirst();
  if (open === undefined) return forgetUpgrade(tx, id);
  const left = phase === 'upgraded' ? { phase, target_hash: hash } : { phase };
  await tx.updateTable('deploy_upgrades').set(left).where('canister_id', '=', id).execute();
}

export async function forgetUpgrade(tx: Tx, canisterId: string): Promise<void> {
  await tx.deleteFrom('deploy_upgrades').where('canister_id', '=', canisterId).execute();
}

/** Forgets the upgrades of a run that ends; a canister that may still be stopped is seen to first. */
export async function forgetUpgradesOf(tx: Tx, instanceId: string): Promise<void> {
  await tx
    .deleteFrom('deploy_upgrades')
    .where('instance_id', '=', instanceId)
    .where('phase', 'not in', CUT_OFF)
    .execute();
}

/** Marks all that a run has upgraded as to be put back. */
export async function beginReturns(tx: Tx, instanceId: string): Promise<void> {
  await tx
    .updateTable('deploy_upgrades')
    .set({ phase: 'restoring' })
    .where('instance_id', '=', instanceId)
    .where('phase', '=', 'upgraded')
    .execute();
}

/** The upgrades of a run, in their order. */
export async function upgradesOf(db: Reader, instanceId: string): Promise<UpgradeRow[]> {
  return db
    .selectFrom('deploy_upgrades')
    .selectAll()
    .where('instance_id', '=', instanceId)
    .orderBy('seq')
    .execute();
}

/** Canisters of a deploy that a run has left in the middle of its upgrade. */
export async function cutOffIn(db: Reader, deployId: string): Promise<string[]> {
  const rows = await db
    .selectFrom('deploy_upgrades')
    .innerJoin('deploy_canisters', 'deploy_canisters.canister_id', 'deploy_upgrades.canister_id')
    .select('deploy_upgrades.canister_id')
    .where('deploy_canisters.deploy_id', '=', deployId)
    .where('phase', 'in', CUT_OFF)
    .execute();
  return rows.map((row) => row.canister_id);
}

/** Upgrades in the middle of which no process works, each with its user. */
export async function listCutOff(db: Reader, limit: number): Promise<{ canisterId: string; user: Actor }[]> {
  const rows = await db
    .selectFrom('deploy_upgrades')
    .innerJoin('canisters', 'canisters.id', 'deploy_upgrades.canister_id')
    .innerJoin('users', 'users.id', 'deploy_upgrades.user_id')
    .select(['canisters.id as canister_id', 'users.id as user_id', 'users.username'])
    .where('phase', 'in', CUT_OFF)
    .where((where) => where.or([where('action_id', 'is', null), where('action_expires_at', '<', new Date())]))
    .orderBy('deploy_upgrades.seq')
    .limit(limit)
    .execute();
  return rows.map((row) => ({
    canisterId: row.canister_id,
    user: { id: row.user_id, username: row.username },
  }));
}
