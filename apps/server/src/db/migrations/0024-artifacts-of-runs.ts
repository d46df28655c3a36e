import { type Kysely, sql } from 'kysely';

/** What successful runs have published, and runs that publish it again. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}

const statements = [
  `alter table deploy_instances add column source_id text references deploy_instances on delete set null`,
  'create index deploy_instances_source on deploy_instances (source_id) where source_id is not null',
  `create table run_artifacts (
    instance_id text primary key references deploy_instances on delete cascade,
    deploy_id text not null,
    user_id text not null,
    identifier text not null references blobs,
    size bigint not null,
    canisters jsonb not null,
    created_at timestamptz not null default now()
  )`,
  'create index run_artifacts_identifier on run_artifacts (identifier)',
  'create index run_artifacts_user on run_artifacts (user_id, created_at)',
];
