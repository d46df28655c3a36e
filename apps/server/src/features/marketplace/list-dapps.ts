import { type DappKind, type DappSort, searchWords } from '@cannery/contract';
import { type RawBuilder, sql } from 'kysely';
import { searchInOrder } from '../../db/search-in-order.ts';
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
  // Those that nobody has rated have 0, which is less than any rating.
  rating: sql`dapps.rating desc, dapps.ratings desc, dapps.seq desc`,
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

/** Searches with as little reading as the words allow; rows are wide, so only those of the page are read whole. */
async function search(
  db: Reader,
  view: DappView,
  { limit, offset, wanted }: { limit: number; offset: number; wanted: string },
): Promise<DappRow[]> {
  const order = orders[view.sort ?? 'newest'];
  const narrow = sql`select id, seq, name, installs, rating, ratings, words from dapps where ${inMarketplace(view)}`;
  const isHit = sql`dapps.words @@ ${wanted}::tsquery`;
  const found = searchInOrder({
    as: 'dapps',
    rows: narrow,
    order,
    isHit,
    byIndex: sql`${narrow} and ${isHit}`,
    wanted: offset + limit,
  });
  const { rows } = await sql<DappRow>`
    with ${found}, page as (
      select id, row_number() over (order by ${order}) as place
      from hits as dapps order by ${order} limit ${limit} offset ${offset}
    )
    select ${sql.join(dappColumns.map((name) => sql.ref(name)))}
    from page
    join dapps on dapps.id = page.id
    join users on users.id = dapps.user_id
    order by place`.execute(db);
  return rows;
}
