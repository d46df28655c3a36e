import { type Kysely, sql } from 'kysely';

/**
 * Sessions that can be listed and ended, sign-in tokens bound to a browser, and tickets for pages opened by address.
 * Bearer tokens of before lay in a cookie as well, which other servers of the same host could read: everybody signs in
 * again.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}

const statements = [
  'delete from sessions',
  `alter table sessions
    add column id text not null unique default gen_random_uuid()::text,
    add column device text not null default '',
    add column last_used_at timestamptz not null default now()`,
  'create index sessions_of_user on sessions (user_id)',
  'delete from sign_in_tokens',
  'alter table sign_in_tokens add column browser_hash text not null',
  `create table page_tickets (
    ticket_hash text primary key,
    session_hash text not null references sessions on delete cascade,
    path text not null,
    expires_at timestamptz not null
  )`,
  'create index page_tickets_expiry on page_tickets (expires_at)',
];
