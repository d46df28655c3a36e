import { type Kysely, sql } from 'kysely';

/**
 * Both sides of every movement of cycles, requests that may be sent again, installations that survive a crash, and
 * creations that know their deploy.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}

const statements = [
  // Where the cycles of a line come from or go to: 'deposits', or 'canister:' and an id.
  'alter table transactions add column counter_account text',
  `update transactions set counter_account = case
    when transaction_meta is null then 'deposits'
    else 'canister:' || (transaction_meta::json ->> 'canister_id') end`,
  'alter table transactions alter column counter_account set not null',
  // A line as the two entries it stands for; all entries together are 0, and so are those of any one line.
  `create view ledger_entries as
    select seq, id as transaction_id, 'user:' || user_id as account,
      case transaction_type when 'CREDIT' then amount else -amount end as amount
      from transactions
    union all
    select seq, id, counter_account, case transaction_type when 'CREDIT' then -amount else amount end
      from transactions`,
  // The name a client gave its request: in the intent while it is under way, in the history once it is paid.
  'alter table transactions add column request_key text',
  'alter table intents add column request_key text',
  'create unique index transactions_request_key on transactions (user_id, request_key) where request_key is not null',
  'create unique index intents_request_key on intents (user_id, request_key) where request_key is not null',
  'alter table intents add column deploy_id text references deploys on delete set null',
  'create index intents_of_canister on intents (canister_id)',
  'create index intents_of_deploy on intents (deploy_id)',
  // An installation moves no cycles; it keeps what will be known of the canister when it is done.
  'alter table intents add column change jsonb',
  'alter table intents drop constraint intents_kind_check',
  'alter table intents drop constraint intents_hold_check',
  `alter table intents add constraint intents_kind_check check (kind in ('create', 'topup', 'install', 'delete'))`,
  `alter table intents add constraint intents_hold_check
    check ((hold_id is not null) = (kind in ('create', 'topup')))`,
  `alter table intents add constraint intents_change_check check ((change is not null) = (kind = 'install'))`,
];
