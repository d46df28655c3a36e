import { type Kysely, sql } from 'kysely';

/** What owners sort their canisters by. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table canisters add column tags text[] not null default '{}'`.execute(db);
}
