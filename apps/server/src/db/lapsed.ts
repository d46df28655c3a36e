import { type ReferenceExpression, sql } from 'kysely';
import type { Schema } from './tables/schema.ts';

/**
 * How far the clocks of two processes may differ, in milliseconds. A lease that ends later than its length and this from now was
 * taken before the clock was put back: whoever had it cannot have it for that long.
 */
const SKEW_MS = 5 * 60_000;

/** Whether a lease that is taken for `lengthMs` is over, or was taken by a clock that has been put back since. */
export function hasLapsed(until: Date, lengthMs: number): boolean {
  const left = until.getTime() - Date.now();
  return left <= 0 || left > lengthMs + SKEW_MS;
}

/** The same as a condition of SQL. */
export function lapsed<Table extends keyof Schema>(
  column: ReferenceExpression<Schema, Table> & string,
  lengthMs: number,
) {
  const now = Date.now();
  const latest = new Date(now + lengthMs + SKEW_MS);
  return sql<boolean>`(${sql.ref(column)} <= ${new Date(now)}::timestamptz or ${sql.ref(column)} > ${latest}::timestamptz)`;
}
