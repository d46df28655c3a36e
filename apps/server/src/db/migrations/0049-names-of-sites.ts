import { type Kysely, sql } from 'kysely';

// A deploy that has a name cannot be deleted before it has let go of it: when that was decides who may have it next.
const STATEMENTS = [
  `create table site_names (
    name text primary key,
    user_id text not null references users on delete cascade,
    deploy_id text unique references deploys,
    released_at timestamptz,
    check ((deploy_id is null) = (released_at is not null))
  )`,
  'create index site_names_user on site_names (user_id)',
];

/** Names of sites on the operator's domain. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of STATEMENTS) await sql.raw(statement).execute(db);
}
