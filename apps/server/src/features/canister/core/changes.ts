import { randomUUID } from 'node:crypto';
import type { Selectable } from 'kysely';
import type { CanisterChangesTable } from '../../../db/tables/canister-tables.ts';
import type { Reader, Tx } from '../../../db/tx.ts';

/** An entry of a canister's history before it is written. */
export interface Change {
  readonly kind: CanisterChangesTable['kind'];
  /** Username; null for a change made outside the console. */
  readonly actor: string | null;
  /** A short sentence. */
  readonly detail: string | null;
}

/** Writes an entry of a canister's history, in the transaction that keeps what the action left. */
export async function recordChange(tx: Tx, canisterId: string, change: Change): Promise<void> {
  await tx
    .insertInto('canister_changes')
    .values({ id: randomUUID(), canister_id: canisterId, ...change })
    .execute();
}

/** Most entries that one answer holds. */
const HISTORY_LIMIT = 1000;

/** The history of a canister, newest first. */
export async function listChanges(
  db: Reader,
  canisterId: string,
): Promise<Selectable<CanisterChangesTable>[]> {
  return db
    .selectFrom('canister_changes')
    .selectAll()
    .where('canister_id', '=', canisterId)
    .orderBy('seq', 'desc')
    .limit(HISTORY_LIMIT)
    .execute();
}
