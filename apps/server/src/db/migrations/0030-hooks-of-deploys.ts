import { type Kysely, sql } from 'kysely';

/** Addresses at which other git hosts tell of pushes. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}

const statements = [
  `create table deploy_hooks (
    id text primary key,
    deploy_id text not null unique references deploys on delete cascade,
    sealed bytea not null,
    created_at timestamptz not null default now(),
    last_delivery_at timestamptz,
    last_delivery text check (last_delivery in ('run', 'other'))
  )`,
];
