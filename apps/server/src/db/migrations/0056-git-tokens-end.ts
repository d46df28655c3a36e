import { type Kysely, sql } from 'kysely';

/** An access token for git may end by itself, such as that of one upload. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table git_tokens add column expires_at timestamptz`.execute(db);
}
