import type { Selectable } from 'kysely';
import { sql } from 'kysely';
import type { CanisterLogRecordsTable } from '../../../db/tables/canister-tables.ts';
import { keepLatest } from '../../../db/keep-latest.ts';
import type { Reader, Tx } from '../../../db/tx.ts';
import type { NetworkLogRecord } from '../../../ic/replies/canister-logs.ts';

/** Records that are kept of one canister; the oldest go first. */
const KEPT_RECORDS = 10_000;
/** A statement has 65,535 parameters at most, and a row has five. */
const ROWS_AT_ONCE = 2_000;

/** Index after the newest stored record of a canister's log. */
export async function nextLogIndex(db: Reader, canisterId: string): Promise<bigint> {
  const newest = await db
    .selectFrom('canister_log_records')
    .select('idx')
    .where('canister_id', '=', canisterId)
    .orderBy('idx', 'desc')
    .limit(1)
    .executeTakeFirst();
  return newest === undefined ? 0n : BigInt(newest.idx) + 1n;
}

/** Stores records; one that is stored already stays as it is. */
export async function keepLogRecords(
  tx: Tx,
  canisterId: string,
  records: readonly NetworkLogRecord[],
): Promise<void> {
  const owner = await tx
    .selectFrom('canisters')
    .select('id')
    .where('id', '=', canisterId)
    .forKeyShare()
    .executeTakeFirst();
  // A canister may be deleted while its log is on the way.
  if (owner === undefined || records.length === 0) return;
  const rows = records.slice(-KEPT_RECORDS).map(({ index, timestampNanos, content }) => {
    // The database takes no NUL.
    const text = Buffer.from(content).toString('utf8').replaceAll('\0', '\u2400');
    return {
      canister_id: canisterId,
      idx: Number(index),
      written_at: new Date(Number(timestampNanos / 1_000_000n)),
      content: text,
      folded: text.toLowerCase(),
    };
  });
  for (let first = 0; first < rows.length; first += ROWS_AT_ONCE) {
    await tx
      .insertInto('canister_log_records')
      .values(rows.slice(first, first + ROWS_AT_ONCE))
      .onConflict((conflict) => conflict.doNothing())
      .execute();
  }
  await keepLatest(tx, 'canister_log_records', {
    owner: 'canister_id',
    of: canisterId,
    by: 'idx',
    most: KEPT_RECORDS,
  });
}

/** A page of a canister's log, newest first. */
export async function findLogRecords(
  db: Reader,
  canisterId: string,
  page: { search: string; before: string | undefined; limit: number },
): Promise<Selectable<CanisterLogRecordsTable>[]> {
  let query = db.selectFrom('canister_log_records').selectAll().where('canister_id', '=', canisterId);
  if (page.before !== undefined) query = query.where('idx', '<', Number(page.before));
  if (page.search !== '') {
    query = query.where(sql<boolean>`strpos(folded, ${page.search.toLowerCase()}) > 0`);
  }
  return query.orderBy('idx', 'desc').limit(page.limit).execute();
}
