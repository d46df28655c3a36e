import { type RawBuilder, type Selectable, sql } from 'kysely';
import { hasLapsed, lapsed } from '../../../db/lapsed.ts';
import type { Schema } from '../../../db/tables/schema.ts';

/** A process that dies leaves the lease of its action behind for this long at most; milliseconds. */
export const LEASE_MS = 30_000;

/** Whether no action runs on a canister: one whose process or database went away has left its lease behind. */
export function isFree({
  action_id: action,
  action_expires_at: until,
}: Pick<Selectable<Schema['canisters']>, 'action_id' | 'action_expires_at'>): boolean {
  return action === null || until === null || hasLapsed(until, LEASE_MS);
}

/** The same as a condition of SQL, for a query that has `canisters`. */
export function hasNoAction(): RawBuilder<boolean> {
  return sql`(canisters.action_id is null or ${lapsed<'canisters'>('canisters.action_expires_at', LEASE_MS)})`;
}
