import { sql } from 'kysely';
import type { OneStatement } from '../../db/tx.ts';
import { newsOfUser } from './pending-news.ts';

/** Tells the open pages of a user that their repositories have changed, which are in no table. */
export async function tellRepositories(db: OneStatement, userId: string): Promise<void> {
  await sql`select tell_live(${newsOfUser(userId)}, 'repositories')`.execute(db);
}
