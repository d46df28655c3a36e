import type pg from 'pg';
import { searchKeys } from '../../src/db/search-keys.ts';

/** Rows of one statement. */
const BATCH = 500;

/**
 * Writes many registries past the server, the first name the newest: ten thousand requests would take minutes.
 * @param rows.identifier of a module that the user has uploaded; all entries get it
 */
export async function insertRegistries(
  database: pg.Client,
  { userId, identifier, names }: { userId: string; identifier: string; names: readonly string[] },
): Promise<void> {
  for (let at = 0; at < names.length; at += BATCH) {
    const rows = names.slice(at, at + BATCH).map((name, place) => ({
      name,
      ...searchKeys(userId, name),
      age: at + place,
    }));
    await database.query(
      `with added as (
         insert into registries
           (id, user_id, name, version, identifier, created_at, search_text, sort_text, pieces)
         select gen_random_uuid()::text, $1, name, 1, $2, now() - age * interval '1 second', search_text, sort_text, pieces
         from jsonb_to_recordset($3::jsonb)
           as row(name text, age integer, search_text text, sort_text text, pieces integer[])
         returning id, user_id, identifier
       )
       insert into registry_versions (registry_id, version, user_id, identifier)
       select id, 1, user_id, identifier from added`,
      [userId, identifier, JSON.stringify(rows)],
    );
  }
}
