import { type Kysely, sql } from 'kysely';

/** Pictures of canisters that answer HTTP, taken at their owner's word, and of dapps, chosen by their publishers (decision 0146). */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of [...TABLES, ...TOLD]) await sql.raw(statement).execute(db);
}

const TABLES = [
  `create table canister_pictures (
    canister_id text primary key references canisters on delete cascade,
    module_hash text not null,
    digest text not null,
    picture bytea not null,
    taken_at timestamptz not null default now()
  )`,
  // What was ordered of a canister that is gone still counts for who has ordered it.
  `create table picture_orders (
    id text primary key,
    user_id text not null references users on delete cascade,
    canister_id text references canisters on delete set null,
    ordered_at timestamptz not null default now(),
    ended_at timestamptz,
    failure text
  )`,
  'create unique index picture_orders_open on picture_orders (canister_id) where ended_at is null',
  'create index picture_orders_of_canister on picture_orders (canister_id, ordered_at desc)',
  'create index picture_orders_of_user on picture_orders (user_id, ordered_at)',
  `create table dapp_pictures (
    dapp_id text primary key references dapps on delete cascade,
    picture bytea not null
  )`,
  // A list shows them without reading the pictures.
  'alter table dapps add column picture text, add column picture_of text',
];

/** Open pages of the owner are told as of everything else about a canister. */
const TOLD = [
  `create function tell_live_picture() returns trigger language plpgsql as $$
    begin
      perform tell_live('user:' || user_id, 'canisters ' || id) from canisters where id = new.canister_id;
      return null;
    end
  $$`,
  ...['canister_pictures', 'picture_orders'].map(
    (table) =>
      `create trigger tell_live after insert or update on ${table}
        for each row execute function tell_live_picture()`,
  ),
];
