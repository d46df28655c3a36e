import { type Kysely, sql } from 'kysely';

/** The contract says which types of deploys there are: a new one is no change of the database. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table deploys drop constraint deploys_type_check`.execute(db);
}
