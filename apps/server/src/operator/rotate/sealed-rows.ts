import { sql } from 'kysely';
import type { Tx } from '../../db/tx.ts';
import { sealingPlace } from '../../features/deploy-hook/hook-place.ts';
import { placeOfVariable } from '../../features/deploy/store/variables.ts';

/** A sealed text of the database. */
interface SealedRow {
  /** Of the row, in the order of its table. */
  readonly key: readonly string[];
  readonly sealed: Buffer;
}

interface SealedTable {
  readonly name: string;
  /** Columns by which a row is found. */
  readonly keys: readonly string[];
  placeOf(key: readonly string[]): string;
}

/** Every table with sealed texts, which are in its column `sealed`; a test holds the list against the database. */
export const SEALED_TABLES: readonly SealedTable[] = [
  {
    name: 'deploy_variables',
    keys: ['deploy_id', 'name'],
    placeOf: ([deployId = '', name = '']) => placeOfVariable(deployId, name),
  },
  { name: 'deploy_hooks', keys: ['id'], placeOf: ([id = '']) => sealingPlace(id) },
];

/** Rows that are sealed in another way than texts with this header are, behind a row, at most this number, locked. */
export async function rowsUnlike(
  tx: Tx,
  { name, keys }: SealedTable,
  { header, after, most }: { header: Buffer; after: readonly string[] | undefined; most: number },
): Promise<SealedRow[]> {
  const columns = sql.join(keys.map((key) => sql.ref(key)));
  const texts = sql.join(keys.map((key) => sql`${sql.ref(key)}::text`));
  const behind = after === undefined ? sql`true` : sql`(${columns}) > (${sql.join(after)})`;
  const { rows } = await sql<SealedRow>`
    select array[${texts}] as key, sealed from ${sql.table(name)}
    where sealed is not null and substring(sealed from 1 for ${header.length}) <> ${header} and ${behind}
    order by ${columns} limit ${most} for update`.execute(tx);
  return rows;
}

/** Writes one of them. */
export async function writeSealed(
  tx: Tx,
  { name, keys }: SealedTable,
  { key, sealed }: SealedRow,
): Promise<void> {
  const isIt = sql.join(
    keys.map((column, at) => sql`${sql.ref(column)} = ${key[at]}`),
    sql` and `,
  );
  await sql`update ${sql.table(name)} set sealed = ${sealed} where ${isIt}`.execute(tx);
}
