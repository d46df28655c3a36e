import { type Kysely, sql } from 'kysely';

/** Deploys that run when their branch is pushed. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql.raw('alter table deploys add column on_push boolean not null default false').execute(db);
}
