import { type Kysely, sql } from 'kysely';

/** Variables that the commands of a build get, and the folder of the repository that a deploy builds. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}

const statements = [
  // Relative to the checkout; empty for the checkout itself.
  `alter table deploys add column root_directory text not null default ''`,
  `create table deploy_variables (
    deploy_id text not null references deploys on delete cascade,
    name text not null,
    value text,
    sealed bytea,
    primary key (deploy_id, name),
    check ((value is null) <> (sealed is null))
  )`,
];
