import { type Kysely, sql } from 'kysely';
import { searchKeys } from '../search-keys.ts';

/** What lists of thousands are searched and sorted by. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of columns) await sql.raw(statement).execute(db);
  await fillRegistries(db);
  for (const statement of indexes) await sql.raw(statement).execute(db);
}

/** Rows of one statement. */
const BATCH = 500;

/** Gives the registries that are there what new ones get when they are written. */
async function fillRegistries(db: Kysely<unknown>): Promise<void> {
  let after = '';
  for (;;) {
    const { rows } = await sql<{ id: string; user_id: string; name: string }>`
      select id, user_id, name from registries where id > ${after} order by id limit ${BATCH}`.execute(db);
    for (const { id, user_id: userId, name } of rows) {
      const keys = searchKeys(userId, name);
      await sql`
        update registries
        set search_text = ${keys.search_text}, sort_text = ${keys.sort_text}, pieces = ${keys.pieces}
        where id = ${id}`.execute(db);
    }
    const last = rows.at(-1);
    if (last === undefined) return;
    after = last.id;
  }
}

const columns = [
  `alter table registries
    add search_text text not null default '',
    add sort_text text collate "C" not null default '',
    add pieces integer[] not null default '{}'`,
];

const indexes = [
  `alter table registries
    alter search_text drop default, alter sort_text drop default, alter pieces drop default`,
  'create index registries_by_name on registries (user_id, sort_text, id)',
  'create index registries_by_module on registries (user_id, identifier, id)',
  'create index registries_by_id on registries (user_id, id)',
  // Without a list of pending entries, which every search would have to read through.
  'create index registries_pieces on registries using gin (pieces) with (fastupdate = off)',
  'alter index dapps_words set (fastupdate = off)',
  `create index dapps_of_kind_most_installed on dapps (kind, installs desc, seq desc)
    where withdrawn_at is null`,
  'create index dapps_of_kind_by_name on dapps (kind, lower(name), seq desc) where withdrawn_at is null',
];
