import { type Kysely, sql } from 'kysely';

/** Install arguments that a user gives in the settings of a deploy, and what kind of canister each of a deploy is. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}

const statements = [
  // Candid texts by the names of canisters in the project.
  `alter table deploys add column install_arguments jsonb not null default '{}'`,
  // Null until a run has filled it.
  'alter table deploy_canisters add column kind text',
];
