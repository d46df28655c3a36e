import { type Kysely, sql } from 'kysely';

/** Deploys that are being deleted with their canisters, which takes calls to the network. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}

const statements = [
  // Which request deletes it, and until when it has the deploy for itself, as for an action on a canister.
  'alter table deploys add column deletion_id text',
  'alter table deploys add column deletion_expires_at timestamptz',
];
