import { type Kysely, sql } from 'kysely';

const STATEMENTS = [
  'alter table deploy_instances add column left_out jsonb',
  `create table run_warnings (
    instance_id text primary key references deploy_instances (id) on delete cascade,
    warnings jsonb not null
  )`,
];

/** What runs leave out, and what the check of their websites found. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of STATEMENTS) await sql.raw(statement).execute(db);
}
