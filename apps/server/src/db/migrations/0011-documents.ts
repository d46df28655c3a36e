import { type Kysely, sql } from 'kysely';

/** Icons beside modules, what is known of a module, and what of all that may be collected. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}

const statements = [
  `create table blobs (
    identifier text primary key,
    stored_at timestamptz not null default now()
  )`,
  'insert into blobs (identifier) select distinct identifier from documents',
  'alter table documents add column uploaded_at timestamptz not null default now()',
  'alter table documents add foreign key (identifier) references blobs',
  'create index documents_identifier on documents (identifier)',
  'create index documents_uploaded_at on documents (uploaded_at)',
  'create index blobs_stored_at on blobs (stored_at)',
  `create table modules (
    identifier text primary key references blobs on delete cascade,
    size bigint not null,
    unpacked_size bigint not null,
    unpacked_sha256 text not null,
    exports jsonb not null,
    candid text,
    candid_args text,
    stable_types text,
    warnings jsonb not null
  )`,
];
