import { randomUUID } from 'node:crypto';
import type { Selectable } from 'kysely';
import type { CanisterChangesTable } from '../../../db/tables/canister-tables.ts';
import { keepLatest } from '../../../db/keep-latest.ts';
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
  const { seq } = await tx
    .insertInto('canister_changes')
    .values({ id: randomUUID(), canister_id: canisterId, ...change })
    .returning('seq')
    .executeTakeFirstOrThrow();
  if (Number(seq) % ENTRIES_BETWEEN === 0)
    await keepLatest(tx, 'canister_changes', {
      owner: 'canister_id',
      of: canisterId,
      by: 'seq',
      most: HISTORY_LIMIT,
    });
}

/** Most entries that one answer holds; older ones are dropped. */
export const HISTORY_LIMIT = 1000;
/** Of all canisters together; after this number the history of one is looked at. */
const ENTRIES_BETWEEN = 20;

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

/** What the console can tell to have been changed by others. */
interface Watched {
  readonly moduleHash: string | null;
  /** Sorted; null when not known. */
  readonly controllers: readonly string[] | null;
}

/** Sentences about what differs between what the console knows of a canister and what the network says of it. */
export function outsideChanges(known: Watched, seen: Watched): string[] {
  const changes: string[] = [];
  if (known.moduleHash !== seen.moduleHash) {
    changes.push(
      seen.moduleHash === null
        ? `The code with hash ${shortHash(known.moduleHash)} is gone.`
        : `The code with hash ${shortHash(seen.moduleHash)} has replaced ${shortHash(known.moduleHash)}.`,
    );
  }
  if (known.controllers !== null && seen.controllers !== null) {
    const added = without(seen.controllers, known.controllers);
    const removed = without(known.controllers, seen.controllers);
    if (added.length > 0) changes.push(`New controllers: ${added.join(', ')}.`);
    if (removed.length > 0) changes.push(`Removed controllers: ${removed.join(', ')}.`);
  }
  return changes;
}

function without(all: readonly string[], taken: readonly string[]): string[] {
  return all.filter((one) => !taken.includes(one));
}

/** The beginning of a module hash, enough to tell two apart. */
export function shortHash(hash: string | null): string {
  return hash === null ? 'none' : `0x${hash.slice(0, 8)}`;
}
