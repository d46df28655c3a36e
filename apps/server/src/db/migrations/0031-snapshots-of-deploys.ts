import { type Kysely, sql } from 'kysely';

/** Snapshots before upgrades of deploys, the call that says whether an upgrade is well, and upgrades that are under way. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}

const statements = [
  `alter table deploys add column snapshots text not null default 'require'
    check (snapshots in ('require', 'try', 'off'))`,
  'alter table deploys add column health_call jsonb',
  'alter table deploy_instances add column going_back text',
  // A canister that is stopped for its upgrade must be started whatever becomes of the run.
  `create table deploy_upgrades (
    canister_id text primary key references canisters on delete cascade,
    seq bigint generated always as identity,
    user_id text not null references users on delete cascade,
    instance_id text not null,
    name text not null,
    phase text not null check (phase in ('upgrading', 'upgraded', 'restoring', 'restored', 'returned')),
    was_running boolean not null,
    before_hash text not null,
    target_hash text not null,
    snapshots_before text[] not null,
    snapshot_id text
  )`,
  'create index deploy_upgrades_instance on deploy_upgrades (instance_id)',
  `create table automatic_snapshots (
    canister_id text primary key references canisters on delete cascade,
    snapshot_id text not null
  )`,
];
