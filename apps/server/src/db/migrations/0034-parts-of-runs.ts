import { type Kysely, sql } from 'kysely';

/** The canisters that a run is limited to, by their names in the project. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table deploy_instances add column chosen_canisters jsonb`.execute(db);
}
