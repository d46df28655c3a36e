import { type Kysely, sql } from 'kysely';

/** How often a run was cut off by the end of its server. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql.raw('alter table deploy_instances add column crashes integer not null default 0').execute(db);
}
