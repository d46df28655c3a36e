import { type Kysely, sql } from 'kysely';

/** Dapps that users offer to each other, with every version of their modules. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}

const statements = [
  `create table dapps (
    id text primary key,
    seq bigint generated always as identity,
    user_id text not null references users on delete cascade,
    name text not null,
    git_url text,
    description text not null,
    icon text,
    kind text,
    wasm text not null,
    version text not null,
    installs bigint not null default 0,
    words tsvector not null,
    created_at timestamptz not null default now(),
    updated_at timestamptz not null default now(),
    withdrawn_at timestamptz
  )`,
  'create index dapps_newest on dapps (seq desc) where withdrawn_at is null',
  'create index dapps_most_installed on dapps (installs desc, seq desc) where withdrawn_at is null',
  'create index dapps_by_name on dapps (lower(name), seq desc) where withdrawn_at is null',
  'create index dapps_of_kind on dapps (kind, seq desc) where withdrawn_at is null',
  'create index dapps_of_user on dapps (user_id, seq desc)',
  'create index dapps_words on dapps using gin (words)',
  'create index dapps_icon on dapps (icon)',
  `create table dapp_versions (
    id text primary key,
    seq bigint generated always as identity,
    dapp_id text not null references dapps on delete cascade,
    version text not null,
    notes text not null,
    identifier text not null,
    created_at timestamptz not null default now()
  )`,
  'create index dapp_versions_of_dapp on dapp_versions (dapp_id, seq desc)',
  'create index dapp_versions_of_module on dapp_versions (identifier, seq)',
  `create table dapp_upgrades (
    canister_id text primary key references canisters on delete cascade,
    user_id text not null references users on delete cascade,
    snapshot_id text not null,
    version text not null,
    module_hash text not null,
    taken_at timestamptz not null default now()
  )`,
  'create index canisters_of_module on canisters (user_id, module_hash)',
];
