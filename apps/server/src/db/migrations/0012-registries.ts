import { type Kysely, sql } from 'kysely';

/** Registries with their versions, and the answers to requests that must not be carried out twice. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}

const statements = [
  `create table registries (
    id text primary key,
    user_id text not null references users on delete cascade,
    name text not null,
    version integer not null check (version > 0),
    identifier text not null,
    created_at timestamptz not null default now()
  )`,
  'create index registries_of_user on registries (user_id, created_at desc, id)',
  `create table registry_versions (
    registry_id text not null references registries on delete cascade,
    version integer not null check (version > 0),
    user_id text not null references users on delete cascade,
    identifier text not null,
    kind text not null default 'wasm' check (kind = 'wasm'),
    created_at timestamptz not null default now(),
    primary key (registry_id, version),
    foreign key (user_id, kind, identifier) references documents (user_id, kind, identifier)
  )`,
  'create index registry_versions_of_document on registry_versions (user_id, identifier)',
  `create table kept_answers (
    user_id text not null references users on delete cascade,
    request_key text not null,
    request_hash text not null,
    answer text not null,
    created_at timestamptz not null default now(),
    primary key (user_id, request_key)
  )`,
  'create index kept_answers_age on kept_answers (created_at)',
];
