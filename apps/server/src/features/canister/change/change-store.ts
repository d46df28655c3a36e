import type { Selectable } from 'kysely';
import type { CodeChangesTable } from '../../../db/tables/canister-tables.ts';
import type { CodeOrigin } from '../../../db/tables/code-origin.ts';
import type { Reader, Tx } from '../../../db/tx.ts';
import { jsonText } from '../../../db/json-text.ts';
import type { Actor } from '../../../http/actor.ts';
import { hasNoAction } from '../core/action-lease.ts';
import { CUT_OFF } from '../core/store.ts';

/** A change of the code of a canister that is under way, or that a run of a deploy may still take back. */
export type CodeChange = Selectable<CodeChangesTable>;

/** A change before it is begun. */
export type NewChange = Pick<
  CodeChange,
  'canister_id' | 'user_id' | 'cause' | 'was_running' | 'before_hash' | 'target_hash' | 'snapshots_before'
> & {
  readonly phase: 'upgrading' | 'restoring';
  readonly before_origin: CodeOrigin | null;
} & Partial<
    Pick<
      CodeChange,
      'snapshot_id' | 'instance_id' | 'name' | 'before_version' | 'request_key' | 'request_hash'
    >
  >;

/**
 * Writes down that the code of a canister is about to change. What an earlier attempt of the same run has written stays: its
 * snapshot is of what ran before the run.
 */
export async function beginChange(tx: Tx, change: NewChange): Promise<CodeChange> {
  const { canister_id: id, instance_id: run = null, phase, target_hash } = change;
  const origin = change.before_origin;
  const before_origin = origin === null ? null : jsonText(origin);
  await tx
    .deleteFrom('code_changes')
    .where('canister_id', '=', id)
    .where('instance_id', 'is distinct from', run)
    .execute();
  return tx
    .insertInto('code_changes')
    .values({ ...change, before_origin })
    .onConflict((conflict) => conflict.column('canister_id').doUpdateSet({ phase, target_hash }))
    .returningAll()
    .executeTakeFirstOrThrow();
}

export async function findChange(
  db: Reader,
  canisterId: string,
  cause: CodeChange['cause'],
): Promise<CodeChange | undefined> {
  return db
    .selectFrom('code_changes')
    .selectAll()
    .where('canister_id', '=', canisterId)
    .where('cause', '=', cause)
    .executeTakeFirst();
}

/** The change that is under way for a request of a user. */
export async function findRequestedChange(
  db: Reader,
  { userId, key }: { userId: string; key: string },
): Promise<CodeChange | undefined> {
  return db
    .selectFrom('code_changes')
    .selectAll()
    .where('user_id', '=', userId)
    .where('request_key', '=', key)
    .executeTakeFirst();
}

/** Notes the snapshot that an upgrade has taken: the canister can go back to that. */
export async function noteTaken(tx: Tx, canisterId: string, snapshotId: string): Promise<void> {
  const taken = { snapshot_id: snapshotId };
  await tx.updateTable('code_changes').set(taken).where('canister_id', '=', canisterId).execute();
}

export async function setPhase(tx: Tx, canisterId: string, phase: CodeChange['phase']): Promise<void> {
  await tx.updateTable('code_changes').set({ phase }).where('canister_id', '=', canisterId).execute();
}

export async function forgetChange(tx: Tx, canisterId: string): Promise<void> {
  await tx.deleteFrom('code_changes').where('canister_id', '=', canisterId).execute();
}

/** Changes that no process works on and that may have stopped their canister, the oldest first, each with its user. */
export async function listCutOff(
  db: Reader,
  limit: number,
): Promise<{ canisterId: string; cause: CodeChange['cause']; user: Actor }[]> {
  const rows = await db
    .selectFrom('code_changes')
    .innerJoin('canisters', 'canisters.id', 'code_changes.canister_id')
    .innerJoin('users', 'users.id', 'code_changes.user_id')
    .select(['canisters.id as canister_id', 'cause', 'users.id as user_id', 'users.username'])
    .where('phase', 'in', CUT_OFF)
    .where(hasNoAction())
    .orderBy('code_changes.seq')
    .limit(limit)
    .execute();
  return rows.map((row) => ({
    canisterId: row.canister_id,
    cause: row.cause,
    user: { id: row.user_id, username: row.username },
  }));
}
