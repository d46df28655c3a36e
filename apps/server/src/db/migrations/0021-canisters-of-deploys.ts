import { type Kysely, sql } from 'kysely';

/** A deploy fills several canisters, each with its name in the project. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}

const statements = [
  // Null for those of earlier runs: the next run names them.
  'alter table deploy_canisters add column name text',
  'create unique index deploy_canisters_by_name on deploy_canisters (deploy_id, name)',
];
