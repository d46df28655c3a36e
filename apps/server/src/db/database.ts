import { Kysely, type LogEvent, PostgresDialect } from 'kysely';
import pg from 'pg';
import { queryErrors, queryTimes } from '../metrics/instruments.ts';
import { watchPool } from '../metrics/pools.ts';
import { PatientPool } from './patient-pool.ts';
import { readMoment, readTexts, TEXTS, TIMESTAMPTZ } from './quick-parsers.ts';
import { PreparedClient } from './prepared-client.ts';
import { WatchedClient } from './watched-client.ts';
import type { Schema } from './tables/schema.ts';
import type { Db } from './tx.ts';

/** Where the database is: an address, or the socket folder of the embedded one. */
export type Connection = { readonly connectionString: string } | EmbeddedConnection;

/** The folder of the socket, and a role that has no rights of a superuser. */
export interface EmbeddedConnection {
  readonly host: string;
  readonly database: string;
  readonly user: string;
  readonly password: string;
}

/** Type numbers of Postgres (pg_type.oid). */
const INT8 = 20;
const NUMERIC = 1700;

/**
 * Opens the pool. Only the embedded database keeps plans: it is nobody else's, while between us and another one there may
 * be a pooler that gives each transaction another connection, or a server of another version that changes its tables.
 * Numeric columns hold cycles and are read as BigInt, bigint columns (counts, sizes) as
 * numbers.
 */
export function openDatabase(connection: Connection, poolSize = 20): Db {
  const pool = new PatientPool({
    ...connection,
    Client: 'host' in connection ? PreparedClient : WatchedClient,
    max: poolSize,
    types: {
      getTypeParser: (oid: number, format?: 'text' | 'binary') => {
        if (oid === NUMERIC && format !== 'binary') return (text: string) => BigInt(text);
        if (oid === INT8 && format !== 'binary') return Number;
        if (oid === TIMESTAMPTZ && format !== 'binary') return readMoment;
        if (oid === TEXTS && format !== 'binary') return readTexts;
        return pg.types.getTypeParser(oid, format);
      },
    },
  });
  // A connection that the server drops must not end the process, idle or not: its query fails, the next opens a new one.
  pool.on('error', () => {});
  pool.on('connect', (client) => client.on('error', () => {}));
  watchPool(pool);
  return new Kysely<Schema>({ dialect: new PostgresDialect({ pool }), log: count });
}

/** What a statement does, by the first word of its tree: `SelectQueryNode` and its like. */
const KINDS: Readonly<Record<string, string>> = {
  SelectQueryNode: 'select',
  InsertQueryNode: 'insert',
  UpdateQueryNode: 'update',
  DeleteQueryNode: 'delete',
};

function count({ level, query, queryDurationMillis }: LogEvent): void {
  queryTimes.took({ kind: KINDS[query.query.kind] ?? 'other' }, queryDurationMillis);
  if (level === 'error') queryErrors.add({});
}
