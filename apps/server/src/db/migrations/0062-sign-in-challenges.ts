import { type Kysely, sql } from 'kysely';

const STATEMENTS = [
  `create table sign_in_challenges (
    challenge_hash text primary key,
    browser_hash text not null,
    expires_at timestamptz not null
  )`,
  'create index sign_in_challenges_expiry on sign_in_challenges (expires_at)',
];

/** What a key of Internet Identity has to sign; each is taken once. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of STATEMENTS) await sql.raw(statement).execute(db);
}
