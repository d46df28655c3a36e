import { type RawBuilder, sql } from 'kysely';
import type { Tx } from '../../../db/tx.ts';

/** Bytes of the logs of all runs of a user that have ended: some fifty of the longest, thousands of the usual ones. */
export const LOGS_OF_USER = 256 * 1024 ** 2;
/** Logs removed at a time. Each run brings one; more at once there are only after an upgrade. */
const MOST_REMOVED = 50;
/** What is left of a log. */
export const REMOVED_LINE = 'This log was removed to make room for those of later runs.';

/** What the lines of a run take in the database: their text, and by estimate what each piece has beside it. */
const LOG_BYTES = sql`octet_length(text) + 100 + 4 * coalesce(cardinality(after_ms), 0)`;

/** What the log of a run takes, by an expression for its row. */
export function logBytesOf(instanceId: string): RawBuilder<number> {
  return sql<number>`(select coalesce(sum(${LOG_BYTES}), 0) from deploy_log_lines where instance_id = ${instanceId})`;
}

/** Removes the oldest logs of the user of a run that has ended here, while all take too much together. */
export async function makeLogRoom(
  tx: Tx,
  { id, userId }: { readonly id: string; readonly userId: string },
): Promise<void> {
  // Runs of one user may end side by side: each removes what the other does not.
  const { rows } = await sql<{ id: string }>`select id from deploy_instances
    where id in (
      select id from (
        select id, seq, sum(log_bytes) over (order by seq desc) as bytes
        from deploy_instances where user_id = ${userId} and log_bytes > 0
      ) counted
      where bytes > ${LOGS_OF_USER} and id <> ${id} order by seq limit ${MOST_REMOVED}
    )
    for no key update skip locked`.execute(tx);
  if (rows.length === 0) return;
  const removed = rows.map((row) => row.id);
  await tx.deleteFrom('deploy_log_lines').where('instance_id', 'in', removed).execute();
  const seq = { seq: 1, first_line: 1 };
  const lines = removed.map((instance_id) => ({ instance_id, ...seq, text: REMOVED_LINE }));
  await tx.insertInto('deploy_log_lines').values(lines).execute();
  await tx.updateTable('deploy_instances').set({ log_bytes: 0 }).where('id', 'in', removed).execute();
}
