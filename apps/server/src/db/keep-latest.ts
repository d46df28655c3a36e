import { sql } from 'kysely';
import type { Schema } from './tables/schema.ts';
import type { Tx } from './tx.ts';

type TableName = keyof Schema & string;

/** The rows of one owner, and how many of them stay. */
interface Kept<Table extends TableName> {
  /** Column that says whose a row is, and the owner. */
  readonly owner: keyof Schema[Table] & string;
  readonly of: string;
  /** Column by which the latest are told: its greatest values. Rows of the same value go together. */
  readonly by: keyof Schema[Table] & string;
  readonly most: number;
}

/** Deletes the rows of an owner beyond the latest ones, so that whoever makes rows without end fills no disk. */
export async function keepLatest<Table extends TableName>(
  tx: Tx,
  table: Table,
  { owner, of, by, most }: Kept<Table>,
): Promise<void> {
  const [rows, column] = [sql.table(table), sql.ref(by)];
  const theirs = sql`${sql.ref(owner)} = ${of}`;
  await sql`delete from ${rows} where ${theirs} and ${column} <=
    (select ${column} from ${rows} where ${theirs} order by ${column} desc offset ${most} limit 1)`.execute(
    tx,
  );
}
