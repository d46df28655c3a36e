import { type Kysely, sql } from 'kysely';

/** What a canister needs not to freeze, as the network last told it: so that a list can say which ones are about to. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table canisters add column freezing_need numeric(40,0), add column burned_per_day numeric(40,0)
  `.execute(db);
}
