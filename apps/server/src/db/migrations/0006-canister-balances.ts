import { type Kysely, sql } from 'kysely';

/** Balances of canisters over time. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}

const statements = [
  'alter table canisters add column sampled_at timestamptz',
  'create index canisters_unsampled on canisters (sampled_at nulls first)',
  `create table canister_balances (
    canister_id text not null references canisters on delete cascade,
    slot integer not null,
    taken_at timestamptz not null,
    cycles numeric(40,0) not null,
    primary key (canister_id, slot)
  )`,
];
