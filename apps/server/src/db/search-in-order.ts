import { type RawBuilder, sql } from 'kysely';

/** Rows that a search looks through in their order before it asks an index. */
export const HEAD_ROWS = 120;
/**
 * With this number of hits in the head, the wanted ones are near: going on in order is quicker than collecting all hits.
 * In a list of 10,000, a page of a word that one in a hundred has took 2.3 ms in order and 0.4 ms by the index, and such a
 * word has three hits in the head in one order of ten by chance.
 */
const COMMON_HITS = 5;

/** Where a search has found its hits: in the head of the list, further on in its order, or by the index. */
export type SearchWay = 'head' | 'order' | 'index';

/** A search of a long list. */
export interface Search {
  /** Name of the rows in `order` and `isHit`. */
  readonly as: string;
  /** A query of every row of the list, without an order. */
  readonly rows: RawBuilder<unknown>;
  readonly order: RawBuilder<unknown>;
  readonly isHit: RawBuilder<unknown>;
  /** A query of the rows that an index finds: every hit, and maybe others. */
  readonly byIndex: RawBuilder<unknown>;
  /** Hits that are enough, up to the end of the page asked for. */
  readonly wanted: number;
}

/**
 * Common table expressions of a search that reads few rows, however many there are: `hits`, the first ones in the order (up
 * to `wanted`, or more), though not sorted; and the one row of `looked`, which tells the `way` and how many rows of the
 * head were `seen`, up to `HEAD_ROWS`. The database would have to guess the way from statistics that know neither the
 * owner nor the beginning of a list. The ways not taken are planned but not run, so that one statement is enough.
 */
export function searchInOrder({ as, rows, order, isHit, byIndex, wanted }: Search): RawBuilder<unknown> {
  const name = sql.ref(as);
  const goes = (way: SearchWay) => sql`(select way = ${sql.lit(way)} from looked)`;
  return sql`
    first_rows as materialized (${rows} order by ${order} limit ${sql.lit(HEAD_ROWS)}),
    head as materialized (
      select count(*) as seen, count(*) filter (where ${isHit}) as hits from first_rows as ${name}
    ),
    looked as materialized (
      select seen, case
        when seen < ${sql.lit(HEAD_ROWS)} or hits >= ${wanted} then 'head'
        when hits >= ${sql.lit(COMMON_HITS)} then 'order'
        else 'index'
      end as way
      from head
    ),
    hits as materialized (
      select * from first_rows as ${name} where ${isHit} and ${goes('head')}
      union all
      -- The offset keeps the order of the rows: the database must not collect all hits and sort them.
      (
        select * from (${rows} order by ${order} offset 0) as ${name}
        where ${isHit} and ${goes('order')} limit ${wanted}
      )
      union all
      select * from (${byIndex}) as ${name} where ${isHit} and ${goes('index')}
    )`;
}
