import { afterAll, beforeAll, expect, test } from 'vitest';
import { createToken, listTokens, userOfToken } from '../../src/features/repository/token-store.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';

let database: TestDatabase;
let ada: string;
beforeAll(async () => {
  database = await createTestDatabase();
  ada = await database.newUser(0n);
});
afterAll(() => database.close());

const create = (label: string, minutes?: number) =>
  database.transact((tx) => createToken(tx, { userId: ada, label, minutes }));
const labels = async (): Promise<string[]> =>
  (await listTokens(database.db, ada)).map(({ label }) => label).toSorted();

test('a token of one upload ends by itself: it opens nothing, is listed no more and leaves with the next one', async () => {
  const lasting = await create('laptop');
  const upload = await create('Upload of page', 60);
  expect(await userOfToken(database.db, upload.secret)).toMatchObject({ id: ada });
  expect(await labels()).toEqual(['Upload of page', 'laptop']);
  const { expires_at: end } = await database.db
    .selectFrom('git_tokens')
    .select('expires_at')
    .where('id', '=', upload.id)
    .executeTakeFirstOrThrow();
  const left = (end?.getTime() ?? 0) - Date.now();
  expect(left).toBeGreaterThan(50 * 60_000);
  expect(left).toBeLessThanOrEqual(60 * 60_000);

  await database.db
    .updateTable('git_tokens')
    .set({ expires_at: new Date(Date.now() - 1) })
    .where('id', '=', upload.id)
    .execute();
  expect(await userOfToken(database.db, upload.secret)).toBeUndefined();
  expect(await userOfToken(database.db, lasting.secret)).toMatchObject({ id: ada });
  expect(await labels()).toEqual(['laptop']);
  await create('desk');
  const rows = await database.db.selectFrom('git_tokens').select('label').orderBy('label').execute();
  expect(rows.map(({ label }) => label)).toEqual(['desk', 'laptop']);
});
