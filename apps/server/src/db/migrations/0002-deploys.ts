import { type Kysely, sql } from 'kysely';

/** Deploys, their runs and logs, and access tokens of the git host. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}

const statements = [
  `create table deploys (
    id text primary key,
    user_id text not null references users on delete cascade,
    name text not null,
    type text not null check (type in ('STATIC_SITE', 'MOTOKO', 'CUSTOM')),
    branch text not null,
    repo_owner text not null,
    repo_name text not null,
    is_public boolean not null,
    build_command text,
    publish_directory text,
    created_at timestamptz not null default now(),
    updated_at timestamptz not null default now()
  )`,
  'create index deploys_of_user on deploys (user_id, created_at desc, id)',
  `create table deploy_canisters (
    deploy_id text not null references deploys on delete cascade,
    canister_id text not null references canisters on delete cascade,
    created_at timestamptz not null default now(),
    primary key (deploy_id, canister_id)
  )`,
  'create index deploy_canisters_of_canister on deploy_canisters (canister_id)',
  `create table deploy_instances (
    id text primary key,
    seq bigint generated always as identity,
    deploy_id text not null references deploys on delete cascade,
    user_id text not null references users on delete cascade,
    status text not null check (status in ('SCHEDULED', 'RUNNING', 'COMPLETED', 'FAILED')),
    trigger_by text not null,
    commit_id text,
    commit_message text,
    duration_ms integer,
    attempt integer not null default 0,
    created_at timestamptz not null default now(),
    started_at timestamptz,
    finished_at timestamptz
  )`,
  'create index deploy_instances_of_deploy on deploy_instances (deploy_id, seq desc)',
  // At most one run of a deploy is under way, whoever triggers it and from wherever.
  `create unique index deploy_instances_under_way on deploy_instances (deploy_id)
    where status in ('SCHEDULED', 'RUNNING')`,
  `create index deploy_instances_open on deploy_instances (created_at)
    where status in ('SCHEDULED', 'RUNNING')`,
  `create table deploy_log_lines (
    instance_id text not null references deploy_instances on delete cascade,
    seq integer not null,
    text text not null,
    primary key (instance_id, seq)
  )`,
  `create table git_tokens (
    id text primary key,
    user_id text not null references users on delete cascade,
    label text not null,
    token_hash text not null unique,
    created_at timestamptz not null default now(),
    last_used_at timestamptz
  )`,
  'create index git_tokens_of_user on git_tokens (user_id, created_at desc)',
];
