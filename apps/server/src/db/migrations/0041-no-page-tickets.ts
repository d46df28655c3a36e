import { type Kysely, sql } from 'kysely';

/** Pages of repositories are the console's: no ticket opens them. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`drop table page_tickets`.execute(db);
}
