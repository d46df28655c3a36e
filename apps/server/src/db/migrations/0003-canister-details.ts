import { type Kysely, sql } from 'kysely';

/** History and logs of canisters, and deletions that give cycles back. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}

const statements = [
  'alter table canisters add column controllers text[]',
  'alter table canisters add column logs_fetched_at timestamptz',
  `create table canister_changes (
    id text primary key,
    seq bigint generated always as identity,
    canister_id text not null references canisters on delete cascade,
    kind text not null,
    actor text,
    detail text,
    created_at timestamptz not null default now()
  )`,
  'create index canister_changes_of_canister on canister_changes (canister_id, seq desc)',
  `create table canister_log_records (
    canister_id text not null references canisters on delete cascade,
    idx bigint not null,
    written_at timestamptz not null,
    content text not null,
    folded text not null,
    primary key (canister_id, idx)
  )`,
  // A deletion reserves no cycles; its amount is what comes back.
  'alter table intents alter column hold_id drop not null',
  'alter table intents drop constraint intents_kind_check',
  `alter table intents add constraint intents_kind_check check (kind in ('create', 'topup', 'delete'))`,
  `alter table intents add constraint intents_hold_check check ((hold_id is null) = (kind = 'delete'))`,
];
