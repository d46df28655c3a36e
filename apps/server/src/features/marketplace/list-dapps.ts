import { type DappKind, type DappSort, searchWords } from '@cannery/contract';
import { type RawBuilder, sql } from 'kysely';
import { COMMON_HITS, HEAD_ROWS, type Hits, searchInOrder } from '../../db/search-in-order.ts';
import type { Reader } from '../../db/tx.ts';
import { dappColumns, type DappRow, dappsWithUser } from './store.ts';

/** Which dapps are asked for, and in which order. */
export interface DappView {
  readonly search?: string;
  readonly sort?: DappSort;
  readonly kind?: DappKind;
  readonly uploader?: string;
  readonly offset?: number;
  readonly limit?: number;
}

/** Orders as their indexes have them. */
const orders: Readonly<Record<DappSort, RawBuilder<unknown>>> = {
  newest: sql`dapps.seq desc`,
  installs: sql`dapps.installs desc, dapps.seq desc`,
  name: sql`lower(dapps.name), dapps.seq desc`,
};

/** Dapps in the marketplace, whoever has submitted them. */
export async function listDapps(db: Reader, view: DappView): Promise<DappRow[]> {
  const { limit, offset = 0, sort = 'newest' } = view;
  const words = searchWords(view.search ?? '');
  // Words are letters and digits only, so none of them ends its quotes.
  const wanted = words.map((word) => `'${word}':*`).join(' & ');
  if (wanted !== '' && limit !== undefined) return search(db, view, { limit, offset, wanted });
  let query = dappsWithUser(db)
    .where(sql<boolean>`${inMarketplace(view)}`)
    .orderBy(orders[sort]);
  if (wanted !== '') query = query.where(sql<boolean>`dapps.words @@ ${wanted}::tsquery`);
  if (limit !== undefined) query = query.limit(limit);
  return query.offset(offset).execute();
}

/** What a view leaves in, apart from its search. */
function inMarketplace({ kind, uploader }: DappView): RawBuilder<unknown> {
  const conditions = [sql`dapps.withdrawn_at is null`];
  if (kind !== undefined) conditions.push(sql`dapps.kind = ${kind}`);
  if (uploader !== undefined) {
    conditions.push(sql`dapps.user_id in (select id from users where username = ${uploader})`);
  }
  return sql.join(conditions, sql` and `);
}

/** What a search has looked at: hits in all, rows and hits of the head. */
interface Looked {
  readonly found: number;
  readonly seen: number;
  readonly hits: number;
}

/** Searches with as little reading as the words allow; rows are wide, so only those of the page are read whole. */
async function search(
  db: Reader,
  view: DappView,
  { limit, offset, wanted }: { limit: number; offset: number; wanted: string },
): Promise<DappRow[]> {
  const order = orders[view.sort ?? 'newest'];
  const narrow = sql`select id, seq, name, installs, words from dapps where ${inMarketplace(view)}`;
  const hits = sql`dapps.words @@ ${wanted}::tsquery`;
  /** The page of what `hits` of a source has; its `head` tells how many rows and hits were looked at before. */
  const page = async (source: RawBuilder<unknown>): Promise<(DappRow & Looked)[]> => {
    const { rows } = await sql<DappRow & Looked>`
      with ${source}, page as (
        select id, row_number() over (order by ${order}) as place, count(*) over () as found
        from hits as dapps order by ${order} limit ${limit} offset ${offset}
      )
      select ${sql.join(dappColumns.map((name) => sql.ref(name)))}, found, head.seen, head.hits
      from page
      cross join head
      join dapps on dapps.id = page.id
      join users on users.id = dapps.user_id
      order by place`.execute(db);
    return rows;
  };
  const whole = async (source: RawBuilder<unknown>): Promise<Hits<DappRow>> => {
    const rows = await page(sql`head as (select 0 as seen, 0 as hits), hits as materialized (${source})`);
    return { rows, found: rows[0]?.found ?? 0, more: false };
  };
  const { rows } = await searchInOrder(
    {
      // One statement: whoever looks for a rare word waits for one answer of the database, not for two.
      async head() {
        const isRare = sql`head.seen = ${HEAD_ROWS} and head.hits < ${COMMON_HITS}`;
        const found = await page(sql`
          first as materialized (${narrow} order by ${order} limit ${HEAD_ROWS}),
          head as materialized (
            select count(*) as seen, count(*) filter (where ${hits}) as hits from first as dapps
          ),
          hits as materialized (
            select * from first as dapps where ${hits} and not (select ${isRare} from head)
            union all
            ${narrow} and ${hits} and (select ${isRare} from head)
          )`);
        const [first] = found;
        // No row may also mean a page behind the last hit of the head.
        if (first === undefined) return { rows: [], found: 0, more: offset > 0 };
        const wasRare = first.seen === HEAD_ROWS && first.hits < COMMON_HITS;
        return { rows: found, found: first.found, more: first.seen === HEAD_ROWS && !wasRare };
      },
      // `offset 0` keeps the order of the rows: the database must not collect all hits and sort them.
      inOrder: () =>
        whole(
          sql`select * from (${narrow} order by ${order} offset 0) as dapps where ${hits} limit ${offset + limit}`,
        ),
      byIndex: () => whole(sql`${narrow} and ${hits}`),
    },
    offset + limit,
  );
  return rows;
}
