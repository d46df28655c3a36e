import { type Kysely, sql } from 'kysely';

/** What happens when an interface breaks its callers, and results of refused runs that may still be published. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}

const statements = [
  `alter table deploys add column breaking_changes text not null default 'publish'
    check (breaking_changes in ('publish', 'ask', 'refuse'))`,
  'alter table run_artifacts add column awaits_approval boolean not null default false',
];
