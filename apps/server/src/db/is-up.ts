import { sql } from 'kysely';
import type { Db } from './tx.ts';

/** Whether the database answers. */
export async function isUp(db: Db): Promise<boolean> {
  return sql`select 1`.execute(db).then(
    () => true,
    () => false,
  );
}
