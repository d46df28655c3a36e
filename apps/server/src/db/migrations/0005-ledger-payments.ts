import { type Kysely, sql } from 'kysely';

/** Payments through a cycles ledger, which knows each one by the time that is written down with its intent. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}

const statements = [
  'alter table intents add column ledger_time numeric(20,0)',
  'alter table intents add column ledger_repeated boolean not null default false',
  // Two payments of one time would be one payment to the ledger.
  'create unique index intents_ledger_time on intents (ledger_time)',
];
