import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../../../../test/support/database.ts';
import { HISTORY_LIMIT, listChanges, recordChange } from './changes.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.close());

test('the history of a canister keeps its latest entries, and that of others stays', async () => {
  const userId = await database.newUser(1n);
  for (const id of ['much', 'little'])
    await sql`insert into canisters (id, user_id, name, status) values (${id}, ${userId}, ${id}, 'running')`.execute(
      database.db,
    );
  const rename = (canister: string, detail: string) =>
    database.transact((tx) => recordChange(tx, canister, { kind: 'renamed', actor: 'ada', detail }));
  await rename('little', 'once');
  await sql`insert into canister_changes (id, canister_id, kind, detail)
    select gen_random_uuid()::text, 'much', 'renamed', 'before' from generate_series(1, ${2 * HISTORY_LIMIT})`.execute(
    database.db,
  );
  for (let n = 0; n < 40; n += 1) await rename('much', `name ${n}`);
  const { rows } = await sql<{ count: number }>`select count(*)::int as count from canister_changes
    where canister_id = 'much'`.execute(database.db);
  expect(rows[0]?.count).toBeLessThan(HISTORY_LIMIT + 40);
  const listed = await listChanges(database.db, 'much');
  expect([listed.length, listed[0]?.detail, listed[39]?.detail]).toEqual([
    HISTORY_LIMIT,
    'name 39',
    'name 0',
  ]);
  expect(await listChanges(database.db, 'little')).toHaveLength(1);
});
