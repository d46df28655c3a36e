import { searchWords } from '@cannery/contract';
import type pg from 'pg';

/** Rows of one statement. */
const BATCH = 500;

/** What a written dapp says of itself. */
export interface WrittenDapp {
  readonly name: string;
  readonly description: string;
  readonly kind: string | null;
  readonly installs: number;
  /** How many have rated it, and the sum of their stars; none when absent. */
  readonly ratings?: number;
  readonly rating_sum?: number;
}

/** Writes many dapps of a user past the server, in the order of their submission: ten thousand uploads would take minutes. */
export async function insertDapps(
  database: pg.Client,
  { userId, username, dapps }: { userId: string; username: string; dapps: readonly WrittenDapp[] },
): Promise<void> {
  for (let at = 0; at < dapps.length; at += BATCH) {
    const rows = dapps.slice(at, at + BATCH).map((dapp) => ({
      ...dapp,
      words: searchWords(`${dapp.name} ${username} ${dapp.description}`),
    }));
    await database.query(
      `insert into dapps (id, user_id, name, description, kind, wasm, version, installs, ratings, rating_sum, words)
       select gen_random_uuid()::text, $1, name, description, kind, 'none', '1.0.0', installs,
         coalesce(ratings, 0), coalesce(rating_sum, 0), array_to_tsvector(words)
       from rows from (
         jsonb_to_recordset($2::jsonb) as (
           name text, description text, kind text, installs integer, ratings integer, rating_sum integer, words text[]
         )
       ) with ordinality as row(name, description, kind, installs, ratings, rating_sum, words, place)
       order by place`,
      [userId, JSON.stringify(rows)],
    );
  }
}
