import { type Kysely, sql } from 'kysely';

const STATEMENTS = [
  'alter table deploy_instances add column commit_author text',
  'alter table deploy_instances add column tag text',
];

/** Who has written the commit of a run, and the tag that has started it. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of STATEMENTS) await sql.raw(statement).execute(db);
}
