import { type Kysely, sql } from 'kysely';

/** Why nobody can tell whether a payment was carried out. Its cycles stay held until the operator decides. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table intents add column uncertain text,
    add constraint intents_uncertain_check check (uncertain is null or kind = 'topup')`.execute(db);
}
