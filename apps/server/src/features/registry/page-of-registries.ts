import { foldText, type RegistrySort, searchPieces } from '@cannery/contract';
import { sql } from 'kysely';
import { HEAD_ROWS, type SearchWay, searchInOrder } from '../../db/search-in-order.ts';
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
  const page = await read({ limit, offset });
  if (page.rows.length > 0 || offset === 0) return page;
  // Behind the end, nothing has been counted.
  return { ...(await read({ limit: 1, offset: 0 })), rows: [] };
}

/** Column and directions of a view; those among equals make every order a whole one. */
function orderOf({ by = 'created', direction }: RegistryView) {
  const { column, ties } = orders[by];
  const way = direction ?? (by === 'created' ? 'desc' : 'asc');
  return { column, way, tie: ties(way) };
}

async function list(
  db: Reader,
  userId: string,
  view: RegistryView,
  { limit, offset }: { limit: number; offset: number },
): Promise<RegistriesPage> {
  const { column, way, tie } = orderOf(view);
  const most = offset + MOST_COUNTED;
  const counted = db
    .selectFrom('registries')
    .select('id')
    .where('user_id', '=', userId)
    .limit(most + 1);
  const [rows, { count }] = await Promise.all([
    db
      .selectFrom('registries')
      .select(registryColumns)
      .where('user_id', '=', userId)
      .orderBy(column, way)
      .orderBy('id', tie)
      .limit(limit)
      .offset(offset)
      .execute(),
    db
      .selectFrom(counted.as('counted'))
      .select(({ fn }) => fn.countAll<number>().as('count'))
      .executeTakeFirstOrThrow(),
  ]);
  return { rows, total: Math.min(count, most), more: count > most };
}

async function search(
  db: Reader,
  userId: string,
  view: RegistryView,
  { limit, offset, text }: { limit: number; offset: number; text: string },
): Promise<RegistriesPage> {
  const { column, way, tie } = orderOf(view);
  const order = sql`registries.${sql.ref(column)} ${sql.raw(way)}, registries.id ${sql.raw(tie)}`;
  const columns = sql.join([...registryColumns, 'sort_text', 'search_text'].map((name) => sql.ref(name)));
  const own = sql`select ${columns} from registries where user_id = ${userId}`;
  const most = offset + limit;
  const found = searchInOrder({
    as: 'registries',
    rows: own,
    order,
    isHit: sql`strpos(registries.search_text, ${text}) > 0`,
    byIndex: sql`${own} and pieces @> ${searchPieces(userId, text)}`,
    // One more tells whether there are more.
    wanted: most + 1,
  });
  const { rows } = await sql<RegistryRow & { found: number; seen: number; way: SearchWay }>`
    with ${found}
    select registries.*, count(*) over () as found, looked.*
    from hits as registries cross join looked
    order by ${order} limit ${limit} offset ${offset}`.execute(db);
  const [first] = rows;
  if (first === undefined) return { rows, total: 0, more: false };
  if (first.way === 'order') {
    return { rows, total: Math.min(first.found, most), more: first.found > most };
  }
  return { rows, total: first.found, more: first.way === 'head' && first.seen === HEAD_ROWS };
}
