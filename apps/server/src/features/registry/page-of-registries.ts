import { foldText, type RegistrySort, searchPieces } from '@cannery/contract';
import { type RawBuilder, type SelectQueryBuilder, sql } from 'kysely';
import type { Schema } from '../../db/schema.ts';
import { HEAD_ROWS, type Hits, searchInOrder } from '../../db/search-in-order.ts';
import type { Reader } from '../../db/tx.ts';
import { registryColumns, type RegistryRow } from './store.ts';

/** A list says how many it has up to this number beyond its page; counting thousands takes longer than reading a page. */
const MOST_COUNTED = 1_000;

type Direction = 'asc' | 'desc';

/** Which registries are asked for, and in which order. */
export interface RegistryView {
  readonly search?: string;
  readonly by?: RegistrySort;
  readonly direction?: Direction;
  readonly offset?: number;
  readonly limit: number;
}

/** A page of registries; `total` as far as they were counted. */
export interface RegistriesPage {
  readonly rows: RegistryRow[];
  readonly total: number;
  readonly more: boolean;
}

const opposite: Readonly<Record<Direction, Direction>> = { asc: 'desc', desc: 'asc' };

/** Column of an order, and the direction of ids among equals, as the index of each has them. */
const orders = {
  created: { column: 'created_at', ties: (direction: Direction) => opposite[direction] },
  name: { column: 'sort_text', ties: (direction: Direction) => direction },
  identifier: { column: 'identifier', ties: (direction: Direction) => direction },
  id: { column: 'id', ties: (direction: Direction) => direction },
} as const;

const searchedColumns = [...registryColumns, 'sort_text', 'search_text'] as const;

type Query = SelectQueryBuilder<Schema, 'registries', RegistryRow>;

/** A page of the user's registries: all of them, or those whose name holds a text. */
export async function pageOfRegistries(
  db: Reader,
  userId: string,
  view: RegistryView,
): Promise<RegistriesPage> {
  const { limit, offset = 0 } = view;
  const text = foldText(view.search ?? '').trim();
  const read = (page: { limit: number; offset: number }) =>
    text === '' ? list(db, userId, view, page) : search(db, userId, view, { ...page, text });
  const { rows, found, more } = await read({ limit, offset });
  if (rows.length > 0 || offset === 0) return { rows, total: found, more };
  // Behind the end, nothing has been counted.
  const first = await read({ limit: 1, offset: 0 });
  return { rows, total: first.found, more: first.more };
}

/** Column and directions of a view; those among equals make every order a whole one. */
function orderOf({ by = 'created', direction }: RegistryView) {
  const { column, ties } = orders[by];
  const way = direction ?? (by === 'created' ? 'desc' : 'asc');
  return { column, way, tie: ties(way) };
}

function inOrder(db: Reader, userId: string, view: RegistryView): Query {
  const { column, way, tie } = orderOf(view);
  return db
    .selectFrom('registries')
    .select(searchedColumns)
    .where('user_id', '=', userId)
    .orderBy(column, way)
    .orderBy('id', tie);
}

async function list(
  db: Reader,
  userId: string,
  view: RegistryView,
  { limit, offset }: { limit: number; offset: number },
): Promise<Hits<RegistryRow>> {
  const most = offset + MOST_COUNTED;
  const counted = db
    .selectFrom('registries')
    .select('id')
    .where('user_id', '=', userId)
    .limit(most + 1);
  const [rows, { count }] = await Promise.all([
    inOrder(db, userId, view).limit(limit).offset(offset).execute(),
    db
      .selectFrom(counted.as('counted'))
      .select(({ fn }) => fn.countAll<number>().as('count'))
      .executeTakeFirstOrThrow(),
  ]);
  return { rows, found: Math.min(count, most), more: count > most };
}

async function search(
  db: Reader,
  userId: string,
  view: RegistryView,
  { limit, offset, text }: { limit: number; offset: number; text: string },
): Promise<Hits<RegistryRow>> {
  const ordered = inOrder(db, userId, view);
  const { column, way, tie } = orderOf(view);
  const order = sql`${sql.ref(column)} ${sql.raw(way)}, id ${sql.raw(tie)}`;
  const hits = sql`strpos(search_text, ${text}) > 0`;
  const most = offset + limit;
  /** The page of what a query finds, with the number of all it finds. */
  const page = async (found: RawBuilder<unknown>, isMore: (found: number, seen: number) => boolean) => {
    const { rows } = await sql<RegistryRow & { found: number; seen: number }>`
      with seen as materialized (${found})
      select *, count(*) over () as found, (select count(*) from seen) as seen
      from seen where ${hits} order by ${order} limit ${limit} offset ${offset}`.execute(db);
    const [first] = rows;
    return {
      rows,
      found: first?.found ?? 0,
      more: first === undefined ? true : isMore(first.found, first.seen),
    };
  };
  return searchInOrder(
    {
      head: () =>
        page(sql`select * from ${ordered.limit(HEAD_ROWS)} as head`, (_, seen) => seen === HEAD_ROWS),
      // `offset 0` keeps the order of the rows: the database must not collect all hits and sort them.
      inOrder: async () => {
        const hitsInOrder = await page(
          sql`select * from ${ordered.offset(0)} as every where ${hits} limit ${most + 1}`,
          (found) => found > most,
        );
        return { ...hitsInOrder, found: Math.min(hitsInOrder.found, most) };
      },
      byIndex: async () => {
        const pieces = searchPieces(userId, text);
        const found = await page(
          sql`
            select ${sql.join(searchedColumns.map((name) => sql.ref(name)))}
            from registries where user_id = ${userId} and pieces @> ${pieces}`,
          () => false,
        );
        return { ...found, more: false };
      },
    },
    offset + limit,
  );
}
