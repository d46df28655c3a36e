import type { CompiledQuery, Kysely, QueryResult, RawBuilder, Transaction } from 'kysely';
import { PREPARED } from './prepared-client.ts';
import type { Schema } from './tables/schema.ts';

export type Db = Kysely<Schema>;

/** An open transaction. Every store function that writes takes one, so a write outside a transaction does not compile. */
export type Tx = Transaction<Schema>;

/** What reads may use: the pool or an open transaction. */
export type Reader = Db | Tx;

/** Where a write of a single statement goes, which alone is a transaction by itself: that saves BEGIN and COMMIT. */
export type OneStatement = Db | Tx;

/** Runs work in one transaction; it is rolled back when the work throws. */
export function transactOn(db: Db): <T>(work: (tx: Tx) => Promise<T>) => Promise<T> {
  return (work) => db.transaction().execute(work);
}

/**
 * Runs a statement that is made often: each connection to the embedded database plans it once. Its text must be the same
 * each time, whatever the values are.
 * @returns the rows
 */
export async function runOften<Row>(
  db: OneStatement,
  statement: { compile(): CompiledQuery<Row> } | RawBuilder<Row>,
): Promise<Row[]> {
  const compiled = statement.compile(db);
  const { rows }: QueryResult<Row> = await db.executeQuery({ ...compiled, sql: PREPARED + compiled.sql });
  return rows;
}
