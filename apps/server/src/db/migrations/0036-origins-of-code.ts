import { type Kysely, sql } from 'kysely';

/**
 * Where the code of each canister came from, written down when it is put in. Of code that is there already only what the history
 * proves is taken over: a run of a deploy, and by whom and when. Equal bytes prove nothing, so that the installations that were
 * counted by them are counted from zero.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}

/** The last that is known to have happened to the code of each canister. */
const lastChanges = `select distinct on (canister_id) canister_id, kind, actor, detail, created_at
  from canister_changes
  where kind in ('installed', 'upgraded', 'reinstalled', 'snapshot_restored')
    or (kind = 'outside' and detail like 'The code with hash %')
  order by canister_id, seq desc`;

/** That this change has put in what is there now. */
const isCurrent = `last.canister_id = c.id and last.kind in ('installed', 'upgraded', 'reinstalled')
  and last.detail like 'Code 0x' || left(c.module_hash, 8) || '.%'`;

const statements = [
  `alter table canisters
    add column origin jsonb not null default '{"kind": "empty"}',
    add column origin_hash text,
    add column origin_by text,
    add column origin_at timestamptz not null default now()`,
  `update canisters set origin = '{"kind": "unknown"}', origin_hash = module_hash where module_hash is not null`,
  `with last as (${lastChanges})
    update canisters c set origin_by = last.actor, origin_at = last.created_at from last where ${isCurrent}`,
  // The code is not what was there last as far as the console did it.
  `with last as (${lastChanges})
    update canisters c set origin_hash = null, origin_at = last.created_at from last
    where last.canister_id = c.id and last.kind = 'outside' and c.module_hash is not null`,
  // A deploy has one run at any time, so the run that was under way is the one that the history names.
  `with last as (${lastChanges}), runs as (
      select c.id, min(r.id) as run_id, min(d.id) as deploy_id, min(d.name) as name
      from canisters c
      join last on ${isCurrent} and last.detail like '% By the deploy ''%'
      join deploy_canisters dc on dc.canister_id = c.id
      join deploys d on d.id = dc.deploy_id
      join deploy_instances r on r.deploy_id = d.id and r.started_at <= last.created_at
        and (r.finished_at is null or r.finished_at >= last.created_at)
      group by c.id having count(*) = 1
    )
    update canisters c
    set origin = jsonb_build_object('kind', 'run', 'deployId', deploy_id, 'runId', run_id, 'name', runs.name)
    from runs where runs.id = c.id`,
  `create table snapshot_origins (
    canister_id text not null references canisters on delete cascade,
    snapshot_id text not null,
    module_hash text not null,
    origin jsonb not null,
    primary key (canister_id, snapshot_id)
  )`,
  'alter table deploy_upgrades add column before_origin jsonb',
  // The version that the upgrade has led to; the way back is from there only.
  'alter table dapp_upgrades add column to_version text',
  'drop index canisters_of_module',
  `create index canisters_of_registry on canisters ((origin ->> 'registryId')) where origin ->> 'kind' = 'registry'`,
  `create index canisters_of_dapps on canisters (user_id, created_at) where origin ->> 'kind' = 'dapp'`,
  'update dapps set installs = 0',
  // The sample of the product that a dapp was made from.
  'alter table dapps add column sample text',
  'alter table intents drop constraint intents_kind_check',
  'alter table intents drop constraint intents_hold_check',
  'alter table intents drop constraint intents_change_check',
  `alter table intents add constraint intents_kind_check
    check (kind in ('create', 'topup', 'install', 'restore', 'delete'))`,
  `alter table intents add constraint intents_hold_check
    check ((hold_id is null) = (kind in ('install', 'restore', 'delete')))`,
  `alter table intents add constraint intents_change_check
    check ((change is not null) = (kind in ('install', 'restore')))`,
];
