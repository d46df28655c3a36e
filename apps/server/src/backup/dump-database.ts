import { createGzip } from 'node:zlib';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { join } from 'node:path';
import { open } from 'node:fs/promises';
import type pg from 'pg';
import { StartError } from '../errors.ts';
import { makeFolder } from './backup-files.ts';

/** Rows that are asked for at once; a row of a log has some hundred kilobytes at most. */
const ROWS_AT_ONCE = 200;
/** Names of our tables become names of files. */
const NAME = /^[a-z][a-z0-9_]*$/;

/** Tables of which a restore makes its own: the migrator's. */
const MADE_BY_MIGRATIONS = ['kysely_migration', 'kysely_migration_lock'];

/** Where the rows of a table are: one JSON text a line, which Postgres reads as a row of that table. */
export function rowsFile(folder: string, table: string): string {
  return join(folder, 'database', `${table}.rows.gz`);
}

/** Quotes a name of the database. */
export function quoted(name: string): string {
  if (!NAME.test(name)) throw new StartError(`The database has a table of a name that is not ours: ${name}.`);
  return `"${name}"`;
}

/** The tables of the product, by name. Those of the job queue are not among them (decision 0137). */
export async function tablesOf(client: pg.Client): Promise<string[]> {
  const { rows } = await client.query<{ name: string }>(
    `select c.relname as name from pg_class c where c.relnamespace = current_schema()::regnamespace
     and c.relkind in ('r', 'p') and not c.relispartition and not c.relname = any($1) order by 1`,
    [MADE_BY_MIGRATIONS],
  );
  return rows.map(({ name }) => name);
}

/** Begins to see the database as it is now, and as nothing later changes it. To be ended by closing the connection. */
export async function beginSnapshot(client: pg.Client): Promise<void> {
  await client.query('begin isolation level repeatable read read only');
  // Postgres takes the snapshot with the first query.
  await client.query('select 1');
}

/** Writes all rows of all tables into a backup, and answers how many there are. */
export async function dumpTables(client: pg.Client, folder: string): Promise<Record<string, number>> {
  await makeFolder(join(folder, 'database'));
  const counts: Record<string, number> = {};
  for (const table of await tablesOf(client)) {
    let count = 0;
    const file = await open(rowsFile(folder, table), 'wx', 0o600);
    const lines = async function* (): AsyncGenerator<string> {
      await client.query(`declare dump no scroll cursor for select t::text as row from ${quoted(table)} t`);
      for (;;) {
        const { rows } = await client.query<{ row: string }>(`fetch ${ROWS_AT_ONCE} from dump`);
        if (rows.length === 0) break;
        count += rows.length;
        yield rows.map(({ row }) => `${JSON.stringify(row)}\n`).join('');
      }
      await client.query('close dump');
    };
    await pipeline(Readable.from(lines()), createGzip({ level: 1 }), file.createWriteStream());
    counts[table] = count;
  }
  return counts;
}

/** The next values of all sequences; they are never behind the rows of the snapshot. */
export async function sequencesOf(client: pg.Client): Promise<Record<string, string>> {
  const { rows } = await client.query<{ name: string; value: string | null }>(
    `select sequencename as name, last_value::text as value from pg_sequences where schemaname = current_schema()`,
  );
  return Object.fromEntries(rows.flatMap(({ name, value }) => (value === null ? [] : [[name, value]])));
}
