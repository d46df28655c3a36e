import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../../test/support/database.ts';
import { answerOnce, forgetOldest, MOST_KEPT } from './answer-once.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.close());

test('of a user who sends keys without end the latest answers are kept, and those of others stay', async () => {
  const [userId, other] = [await database.newUser(1n), await database.newUser(1n)];
  const ask = (of: string, key: string) =>
    database.transact((tx) =>
      answerOnce(tx, { userId: of, key, content: ['x'] }, () => Promise.resolve('answered')),
    );
  await ask(other, 'theirs');
  await ask(userId, 'first');
  await sql`insert into kept_answers (user_id, request_key, request_hash, answer)
    select ${userId}, 'key ' || n, '', '' from generate_series(1, ${MOST_KEPT}) n`.execute(database.db);
  await ask(userId, 'last');
  await database.transact((tx) => forgetOldest(tx, userId));
  const kept = await database.db.selectFrom('kept_answers').select('request_key').execute();
  const keys = new Set(kept.map((row) => row.request_key));
  expect(kept.length).toBeLessThanOrEqual(MOST_KEPT + 1);
  expect([keys.has('theirs'), keys.has('first'), keys.has('last')]).toEqual([true, false, true]);
});
