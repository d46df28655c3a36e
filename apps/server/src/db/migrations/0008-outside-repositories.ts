import { type Kysely, sql } from 'kysely';

/** Deploys of public repositories of other git hosts. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table deploys add column repo_url text`.execute(db);
}
