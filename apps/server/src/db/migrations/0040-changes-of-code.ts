import { type Kysely, sql } from 'kysely';

/** Changes of code by runs of deploys and of installed dapps are in one table: they are begun, ended and undone alike. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}

const statements = [
  `create table code_changes (
    canister_id text primary key references canisters on delete cascade,
    seq bigint generated always as identity,
    user_id text not null references users on delete cascade,
    cause text not null check (cause in ('run', 'dapp')),
    phase text not null check (phase in ('upgrading', 'upgraded', 'restoring', 'restored', 'returned')),
    was_running boolean not null,
    before_hash text not null,
    target_hash text not null,
    before_origin jsonb,
    snapshots_before text[] not null,
    snapshot_id text,
    instance_id text,
    name text,
    before_version text,
    request_key text,
    request_hash text,
    created_at timestamptz not null default now(),
    check (cause <> 'run' or (instance_id is not null and name is not null))
  )`,
  'create index code_changes_instance on code_changes (instance_id)',
  `insert into code_changes (canister_id, user_id, cause, phase, was_running, before_hash, target_hash, before_origin,
      snapshots_before, snapshot_id, instance_id, name)
    select canister_id, user_id, 'run', phase, was_running, before_hash, target_hash, before_origin,
      snapshots_before, snapshot_id, instance_id, name
    from deploy_upgrades order by seq`,
  // A way back named only the code that it leads to.
  `insert into code_changes (canister_id, user_id, cause, phase, was_running, before_hash, target_hash,
      snapshots_before, snapshot_id, before_version, request_key, request_hash, created_at)
    select v.canister_id, v.user_id, 'dapp', case v.kind when 'upgrade' then 'upgrading' else 'restoring' end, v.was_running,
      case v.kind when 'upgrade' then v.before_hash else v.target_hash end,
      case v.kind when 'upgrade' then v.target_hash else coalesce(c.module_hash, v.target_hash) end,
      v.snapshots_before, v.snapshot_id, v.before_version, v.request_key, v.request_hash, v.created_at
    from version_changes v join canisters c on c.id = v.canister_id order by v.created_at
    on conflict (canister_id) do nothing`,
  'drop table deploy_upgrades',
  'drop table version_changes',
];
