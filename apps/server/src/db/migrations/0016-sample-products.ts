import { type Kysely, sql } from 'kysely';

/** Sample products of each user, and who has got a first filling. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}

const statements = [
  `create table product_shelves (
    user_id text primary key references users on delete cascade,
    filled_at timestamptz not null default now()
  )`,
  `create table products (
    id text primary key,
    seq bigint generated always as identity,
    user_id text not null references product_shelves on delete cascade,
    img text not null,
    title text not null,
    subtitle text not null,
    price_cents integer not null check (price_cents >= 0),
    rating_tenths integer not null check (rating_tenths between 0 and 50)
  )`,
  'create index products_of_user on products (user_id, seq)',
];
