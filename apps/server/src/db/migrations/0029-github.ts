import { type Kysely, sql } from 'kysely';

/** Accounts at GitHub that users connect, and deploys of repositories there. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}

const statements = [
  `create table github_attempts (
    state_hash text primary key,
    session_hash text not null references sessions on delete cascade,
    deploy_type text not null,
    expires_at timestamptz not null
  )`,
  'create index github_attempts_of_session on github_attempts (session_hash)',
  // Numbers as JSON: a list of bigint would be read as texts.
  `create table github_installations (
    user_id text not null references users on delete cascade,
    installation_id bigint not null,
    account_login text not null,
    account_id bigint not null,
    github_user_id bigint not null,
    github_login text not null,
    repository_ids jsonb,
    created_at timestamptz not null default now(),
    primary key (user_id, installation_id)
  )`,
  'create index github_installations_by_id on github_installations (installation_id)',
  `create table github_deliveries (
    id text primary key,
    expires_at timestamptz not null
  )`,
  'alter table deploys add column github_repository_id bigint',
  `create index deploys_of_github on deploys (github_repository_id, branch) where github_repository_id is not null`,
  'alter table deploy_instances add column commit_sha text',
];
