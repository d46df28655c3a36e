import { type Kysely, sql } from 'kysely';

/** Whose run is next: each run has a turn, and lower ones go first. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}

const statements = [
  'alter table deploy_instances add column turn bigint not null default 0',
  `create index deploy_instances_started_turn on deploy_instances (turn desc) where status <> 'SCHEDULED'`,
  'create index deploy_instances_turn_of_user on deploy_instances (user_id, turn desc)',
];
