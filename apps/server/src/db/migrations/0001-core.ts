import { type Kysely, sql } from 'kysely';

/** Users, sign-in, ledger, canisters and documents. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}

const statements = [
  `create table users (
    id text primary key,
    issuer text not null,
    subject text not null,
    username text not null,
    name text not null,
    avatar text,
    location text,
    created_at timestamptz not null default now(),
    signed_in_at timestamptz not null default now(),
    unique (issuer, subject)
  )`,
  'create unique index users_username on users (lower(username))',
  `create table sessions (
    token_hash text primary key,
    user_id text not null references users on delete cascade,
    created_at timestamptz not null default now(),
    expires_at timestamptz not null
  )`,
  'create index sessions_expiry on sessions (expires_at)',
  `create table sign_in_tokens (
    token_hash text primary key,
    user_id text not null references users on delete cascade,
    expires_at timestamptz not null
  )`,
  `create table sign_in_attempts (
    state_hash text primary key,
    browser_hash text not null,
    nonce text not null,
    code_verifier text not null,
    expires_at timestamptz not null
  )`,
  'create index sign_in_attempts_expiry on sign_in_attempts (expires_at)',
  `create table oidc_records (
    kind text not null,
    id text not null,
    payload jsonb not null,
    grant_id text,
    uid text,
    expires_at timestamptz,
    primary key (kind, id)
  )`,
  'create index oidc_records_grant on oidc_records (grant_id)',
  'create index oidc_records_uid on oidc_records (kind, uid)',
  'create index oidc_records_expiry on oidc_records (expires_at)',
  `create table server_keys (
    name text primary key,
    value jsonb not null,
    created_at timestamptz not null default now()
  )`,
  `create table accounts (
    user_id text primary key references users on delete cascade,
    balance numeric(40,0) not null check (balance >= 0),
    held numeric(40,0) not null default 0 check (held >= 0 and held <= balance)
  )`,
  `create table holds (
    id text primary key,
    user_id text not null references accounts on delete cascade,
    amount numeric(40,0) not null check (amount > 0),
    purpose text not null,
    created_at timestamptz not null default now()
  )`,
  `create table transactions (
    id text primary key,
    seq bigint generated always as identity,
    user_id text not null references accounts on delete cascade,
    transaction_name text not null,
    transaction_type text not null check (transaction_type in ('CREDIT', 'DEBIT')),
    amount numeric(40,0) not null check (amount >= 0),
    balance_before numeric(40,0) not null check (balance_before >= 0),
    balance_after numeric(40,0) not null check (balance_after >= 0),
    transaction_meta text,
    created_at timestamptz not null default now(),
    check (balance_after = balance_before + case transaction_type when 'CREDIT' then amount else -amount end)
  )`,
  'create index transactions_of_user on transactions (user_id, seq desc)',
  `create table canisters (
    id text primary key,
    user_id text not null references users on delete cascade,
    name text not null,
    cycles numeric(40,0),
    status text not null,
    module_hash text,
    created_at timestamptz not null default now(),
    updated_at timestamptz,
    refreshed_at timestamptz,
    action_id text,
    action_expires_at timestamptz
  )`,
  'create index canisters_of_user on canisters (user_id, created_at desc, id)',
  `create table canister_logs (
    id text primary key,
    seq bigint generated always as identity,
    canister_id text not null references canisters on delete cascade,
    user_id text not null references users on delete cascade,
    cycles numeric(40,0),
    module_hash text,
    status text not null,
    updated_at timestamptz not null default now()
  )`,
  'create index canister_logs_of_canister on canister_logs (canister_id, seq desc)',
  `create table intents (
    id text primary key,
    kind text not null check (kind in ('create', 'topup')),
    user_id text not null references users on delete cascade,
    hold_id text not null references holds,
    canister_id text,
    canister_name text,
    cycles numeric(40,0) not null,
    cycles_before numeric(40,0),
    request_id text not null,
    envelope bytea not null,
    effective_canister_id text not null,
    request_expires_at timestamptz not null,
    created_at timestamptz not null default now(),
    claimed_until timestamptz not null
  )`,
  'create index intents_unclaimed on intents (claimed_until)',
  `create table documents (
    identifier text not null,
    user_id text not null references users on delete cascade,
    kind text not null,
    size bigint not null,
    created_at timestamptz not null default now(),
    primary key (user_id, kind, identifier)
  )`,
];
