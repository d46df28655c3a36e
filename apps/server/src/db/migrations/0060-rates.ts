import { type Kysely, sql } from 'kysely';

/** Rates that hold over all processes on this database. What is counted may be lost in a crash: then rates begin full. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of STATEMENTS) await sql.raw(statement).execute(db);
}

const STATEMENTS = [
  // A bucket is when it will be full; one that is full is as good as none.
  `create unlogged table rate_buckets (
    key text primary key,
    full_at timestamptz not null
  ) with (fillfactor = 50)`,
  `create unlogged table rate_windows (
    key text primary key,
    calls integer not null,
    ends_at timestamptz not null
  ) with (fillfactor = 50)`,
  // Buckets in the order of their keys, so that two processes never wait for each other. A clock of the database that was set
  // back refuses nobody for longer than the deepest debt takes.
  `create function lease_tokens(
    keys text[], rates float8[], bursts float8[], debts float8[], spents float8[], wants float8[]
  ) returns table (place integer, granted float8, wait_s float8) language plpgsql as $$
    declare
      clock timestamptz := clock_timestamp();
      full_then timestamptz;
      tokens float8;
    begin
      for place in 1 .. coalesce(array_length(keys, 1), 0) loop
        insert into rate_buckets as bucket (key, full_at) values (keys[place], clock)
          on conflict (key) do update set full_at = bucket.full_at
          returning bucket.full_at into full_then;
        tokens := bursts[place] - spents[place] - rates[place] * least(
          greatest(extract(epoch from full_then - clock)::float8, 0),
          (bursts[place] + debts[place]) / rates[place]
        );
        tokens := least(tokens, bursts[place]);
        granted := case when tokens >= 1 then least(tokens, wants[place]) else 0 end;
        wait_s := case when tokens >= 1 then 0 else (1 - tokens) / rates[place] end;
        tokens := tokens - granted;
        update rate_buckets
          set full_at = clock + make_interval(secs => (bursts[place] - tokens) / rates[place])
          where key = keys[place];
        lease_tokens.place := place;
        return next;
      end loop;
    end
  $$`,
];
