import { type Kysely, sql } from 'kysely';

/** Ratings of dapps, each of one user; and each sample of the product is in the marketplace once. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of STATEMENTS) await sql.raw(statement).execute(db);
}

const STATEMENTS = [
  `create table dapp_ratings (
    dapp_id text not null references dapps on delete cascade,
    user_id text not null references users on delete cascade,
    stars smallint not null check (stars between 1 and 5),
    rated_at timestamptz not null default now(),
    primary key (dapp_id, user_id)
  )`,
  'create index dapp_ratings_of_user on dapp_ratings (user_id)',
  // What a list shows of ratings is in the row that it reads anyway.
  `alter table dapps
    add ratings bigint not null default 0,
    add rating_sum bigint not null default 0,
    add rating double precision not null
      generated always as (case when ratings = 0 then 0 else rating_sum::double precision / ratings end) stored`,
  // Whatever takes a rating away, the end of a user included, takes it out of the count as well.
  `create function count_dapp_rating() returns trigger language plpgsql as $$
    declare
      more bigint := 0;
      stars bigint := 0;
      rated text;
    begin
      if tg_op <> 'INSERT' then
        rated := old.dapp_id;
        more := more - 1;
        stars := stars - old.stars;
      end if;
      if tg_op <> 'DELETE' then
        rated := new.dapp_id;
        more := more + 1;
        stars := stars + new.stars;
      end if;
      if more <> 0 or stars <> 0 then
        update dapps set ratings = ratings + more, rating_sum = rating_sum + stars where id = rated;
      end if;
      return null;
    end
  $$`,
  `create trigger count_dapp_rating after insert or delete or update of stars on dapp_ratings
    for each row execute function count_dapp_rating()`,
  // A rating is no news for every open page: whoever rates again and again would have all of them ask again (0121).
  `create or replace function tell_live_dapps() returns trigger language plpgsql as $$
    declare
      books constant text[] := array['installs', 'ratings', 'rating_sum', 'rating'];
    begin
      if tg_op = 'UPDATE' and to_jsonb(old) - books = to_jsonb(new) - books then return null; end if;
      perform tell_live('everybody', 'dapps');
      return null;
    end
  $$`,
  'create index dapps_best_rated on dapps (rating desc, ratings desc, seq desc) where withdrawn_at is null',
  `create index dapps_of_kind_best_rated on dapps (kind, rating desc, ratings desc, seq desc)
    where withdrawn_at is null`,
  // Of samples that several users have offered, the first one stays the sample; the others are dapps like any.
  `update dapps set sample = null where sample is not null and withdrawn_at is null and exists (
    select from dapps earlier
    where earlier.sample = dapps.sample and earlier.withdrawn_at is null and earlier.seq < dapps.seq
  )`,
  'create unique index dapps_of_samples on dapps (sample) where sample is not null and withdrawn_at is null',
];
