import { type Kysely, sql } from 'kysely';

/** Room of quotas that is kept while something is being written. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`create table reservations (
    id text primary key,
    user_id text not null references users on delete cascade,
    quota text not null,
    amount bigint not null check (amount > 0),
    expires_at timestamptz not null
  )`.execute(db);
  await sql`create index reservations_of_user on reservations (user_id)`.execute(db);
}
