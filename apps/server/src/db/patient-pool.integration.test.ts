import { setTimeout as delay } from 'node:timers/promises';
import { sql } from 'kysely';
import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../../test/support/database.ts';
import { storageError } from '../storage-errors.ts';
import { openDatabase } from './database.ts';
import { embeddedConnection } from './postgres/embedded-postgres.ts';

/** A database that other processes have filled with their connections. */

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.close());

/** Connects until the database takes no more; connections that have ended may be counted for a moment. */
async function fill(): Promise<pg.Client[]> {
  const others: pg.Client[] = [];
  for (let refusals = 0; refusals < 3; ) {
    const client = new pg.Client(embeddedConnection(database.folder));
    client.on('error', () => undefined);
    try {
      await client.connect();
      others.push(client);
      refusals = 0;
    } catch (error) {
      expect(error).toMatchObject({ code: '53300' });
      refusals += 1;
      await delay(300);
    }
  }
  return others;
}

const endAll = (clients: readonly pg.Client[]) => Promise.all(clients.map((client) => client.end()));

test('a statement waits while other processes have all connections, and is carried out when one of them ends', async () => {
  const db = openDatabase(embeddedConnection(database.folder));
  const others = await fill();
  const answer = sql<{ one: number }>`select 1 as one`.execute(db);
  const asked = await Promise.race([answer.then(() => 'answered'), others[0]?.query('select pg_sleep(1)')]);
  expect(asked).not.toBe('answered');
  await others.pop()?.end();
  expect((await answer).rows).toEqual([{ one: 1 }]);
  await Promise.all([endAll(others), db.destroy()]);
});

test('a statement takes the connection that another one of its process gives back', async () => {
  const db = openDatabase(embeddedConnection(database.folder));
  const held = db.transaction().execute(() => delay(3_000));
  await sql`select 1`.execute(db);
  const others = await fill();
  const answers = await Promise.all(Array.from({ length: 30 }, () => sql`select pg_sleep(0.01)`.execute(db)));
  expect(answers).toHaveLength(30);
  await held;
  await Promise.all([endAll(others), db.destroy()]);
});

test('where no room comes, the caller learns that the database has none and that nothing was done', async () => {
  const db = openDatabase(embeddedConnection(database.folder));
  // An idle connection of the test would end, and make room.
  const { promise: over, resolve: end } = Promise.withResolvers<void>();
  const held = database.transact(() => over);
  const others = await fill();
  const error = await sql`select 1`.execute(db).catch((thrown: unknown) => thrown);
  expect(storageError(error)).toMatchObject({
    code: 'database_unavailable',
    message: 'The database takes no more connections at the moment.',
    retryAfterSeconds: 2,
  });
  expect(storageError(error)?.detail).toBeUndefined();
  end();
  await Promise.all([held, endAll(others), db.destroy()]);
});
