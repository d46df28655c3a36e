import type { Kysely, Transaction } from 'kysely';
import type { Schema } from './schema.ts';

export type Db = Kysely<Schema>;

/** An open transaction. Every store function that writes takes one, so a write outside a transaction does not compile. */
export type Tx = Transaction<Schema>;

/** What reads may use: the pool or an open transaction. */
export type Reader = Db | Tx;

/** Runs work in one transaction; it is rolled back when the work throws. */
export function transactOn(db: Db): <T>(work: (tx: Tx) => Promise<T>) => Promise<T> {
  return (work) => db.transaction().execute(work);
}
