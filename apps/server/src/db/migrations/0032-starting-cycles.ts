import { type Kysely, sql } from 'kysely';

/** What new canisters of a deploy start with, and which canister of the project a creation under way is. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}

const statements = [
  "alter table deploys add column starting_cycles jsonb not null default '{}'",
  // Amounts differ, so that a canister whose run has died must not be taken for another one of the project.
  'alter table intents add column deploy_part text',
];
