import { type Kysely, sql } from 'kysely';

/** Tokens by which programs call the API. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}

const statements = [
  // The deploys are a list and not rows: a token keeps its limit when the last of them is deleted.
  `create table api_tokens (
    id text primary key,
    user_id text not null references users on delete cascade,
    label text not null,
    token_hash text not null unique,
    scopes text[] not null,
    deploy_ids text[],
    expires_at timestamptz,
    created_at timestamptz not null default now(),
    last_used_at timestamptz
  )`,
  'create index api_tokens_of_user on api_tokens (user_id, created_at desc)',
];
