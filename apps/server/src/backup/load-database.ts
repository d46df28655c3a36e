import { createGunzip } from 'node:zlib';
import type pg from 'pg';
import { StartError } from '../errors.ts';
import { linesOf } from '../lines-of.ts';
import { openPlain } from '../data-dir/open-plain.ts';
import { quoted, rowsFile, tablesOf } from './dump-database.ts';
import type { Manifest } from './manifest.ts';

/** Of one statement, whichever comes first. */
const ROWS_AT_ONCE = 1_000;
const CHARACTERS_AT_ONCE = 4_000_000;

interface ForeignKey {
  readonly table: string;
  readonly name: string;
  readonly definition: string;
}

/**
 * Fills a database that has the tables of the backup, and nothing of a user, in one transaction. Foreign keys are taken away and made
 * again behind the last row, so that the database itself looks at every reference.
 * @throws StartError when there are not as many rows as the backup says
 */
export async function loadTables(
  client: pg.Client,
  folder: string,
  { rows, sequences }: Pick<Manifest, 'rows' | 'sequences'>,
): Promise<void> {
  const tables = await tablesOf(client);
  const other = Object.keys(rows).find((table) => !tables.includes(table));
  if (other !== undefined)
    throw new StartError(`The backup has a table ${other} that its steps do not make.`);
  await client.query('begin');
  const keys = await foreignKeys(client);
  for (const { table, name } of keys) await client.query(`alter table ${table} drop constraint ${name}`);
  for (const table of tables) {
    await client.query(`alter table ${quoted(table)} disable trigger user`);
    // Steps may have written rows of their own.
    await client.query(`delete from ${quoted(table)}`);
  }
  for (const table of tables) {
    const count = await loadTable(client, folder, table);
    if (count !== rows[table])
      throw new StartError(
        `The backup is damaged: ${table} has ${count} rows, and should have ${rows[table]}.`,
      );
  }
  for (const [name, value] of Object.entries(sequences))
    await client.query('select setval(quote_ident($1)::regclass, $2::bigint)', [name, value]);
  for (const { table, name, definition } of keys)
    await client.query(`alter table ${table} add constraint ${name} ${definition}`);
  for (const table of tables) await client.query(`alter table ${quoted(table)} enable trigger user`);
  await forgetProcesses(client);
  await client.query('commit');
  await client.query('analyze');
}

/**
 * Takes away what is true of the processes from before only: who has signed out since the backup must not be signed in by it again (decision
 * 0137), and uploads, repositories and settings are from now on where the restored processes have them.
 */
async function forgetProcesses(client: pg.Client): Promise<void> {
  // Homes name folders.
  for (const table of ['sessions', 'blob_place', 'repository_homes', 'git_folders', 'deployment_marks'])
    await client.query(`delete from ${table}`);
}

/** All text in them is quoted by Postgres. */
async function foreignKeys(client: pg.Client): Promise<ForeignKey[]> {
  const { rows } = await client.query<ForeignKey>(
    `select conrelid::regclass::text as table, quote_ident(conname) as name, pg_get_constraintdef(oid) as definition
     from pg_constraint where contype = 'f' and connamespace = current_schema()::regnamespace and conparentid = 0`,
  );
  return rows;
}

async function loadTable(client: pg.Client, folder: string, table: string): Promise<number> {
  const { rows } = await client.query<{ name: string }>(
    `select quote_ident(attname) as name from pg_attribute where attrelid = $1::regclass and attnum > 0 and not attisdropped
     and attgenerated = '' order by attnum`,
    [quoted(table)],
  );
  const columns = rows.map(({ name }) => name);
  const from = columns.map((name) => `(each.line).${name}`);
  const statement = `insert into ${quoted(table)} (${columns.join()}) overriding system value select ${from.join()}
    from (select raw::${quoted(table)} as line from unnest($1::text[]) raw offset 0) each`;
  let [count, length] = [0, 0];
  let waiting: string[] = [];
  const insert = async (): Promise<void> => {
    if (waiting.length > 0) await client.query(statement, [waiting]);
    count += waiting.length;
    waiting = [];
    length = 0;
  };
  const file = await openPlain(rowsFile(folder, table));
  const content = file.createReadStream().pipe(createGunzip());
  for await (const line of linesOf(content)) {
    const row: unknown = JSON.parse(line);
    if (typeof row !== 'string') throw new StartError(`The backup is damaged: a row of ${table} is no text.`);
    waiting.push(row);
    length += row.length;
    if (waiting.length >= ROWS_AT_ONCE || length >= CHARACTERS_AT_ONCE) await insert();
  }
  await insert();
  return count;
}
