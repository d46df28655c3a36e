import { type Kysely, sql } from 'kysely';

const STATEMENTS = [
  `alter table deploys
    add column repository_id text,
    add column repository_deleted boolean not null default false`,
  'create index deploys_repository on deploys (repository_id) where repository_id is not null',
];

/** Deploys know their repository by an id; those of before get it at the start of the server, which alone sees the repositories. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of STATEMENTS) await sql.raw(statement).execute(db);
}
