import { type Kysely, sql } from 'kysely';

/**
 * Upgrades of installed dapps and ways back that are under way, so that a crash stops no canister for ever, and whether a
 * module keeps its main memory across upgrades.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}

const statements = [
  `create table version_changes (
    canister_id text primary key references canisters on delete cascade,
    user_id text not null references users on delete cascade,
    kind text not null,
    target_hash text not null,
    was_running boolean not null,
    before_version text,
    before_hash text,
    snapshots_before text[] not null,
    snapshot_id text,
    request_key text,
    request_hash text,
    created_at timestamptz not null default now()
  )`,
  'alter table modules add column keeps_memory boolean',
];
