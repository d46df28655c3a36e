import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openDatabase } from '../../src/db/database.ts';
import { embeddedConnection } from '../../src/db/postgres/embedded-postgres.ts';
import { type Db, runOften } from '../../src/db/tx.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.close());

/** Statements whose plan the only connection of a pool keeps. */
async function keptBy(db: Db): Promise<{ statement: string; times: number }[]> {
  const { rows } = await sql<{ statement: string; times: number }>`
    select statement, generic_plans + custom_plans as times from pg_prepared_statements order by prepare_time`.execute(
    db,
  );
  return rows;
}

const sumOf = (db: Db, one: number, other: bigint) =>
  runOften(db, sql<{ sum: bigint }>`select ${one}::numeric + ${other}::numeric as sum`);

test('a statement that is made often is planned once by each connection, and answers as any other', async () => {
  const db = openDatabase(embeddedConnection(database.folder), 1);
  try {
    expect(await keptBy(db)).toEqual([]);
    const large = 123_456_789_012_345_678_901_234_567_890n;
    expect(await sumOf(db, 1, large)).toEqual([{ sum: large + 1n }]);
    expect(await sumOf(db, 2, 3n)).toEqual([{ sum: 5n }]);
    expect(await db.selectFrom('users').select('id').execute()).toEqual([]);
    const users = db.selectFrom('users').select('id').where('username', '=', 'nobody');
    expect(await runOften(db, users)).toEqual([]);
    const kept = await keptBy(db);
    expect(kept.map(({ times }) => times)).toEqual([2, 1]);
    expect(kept[0]?.statement).toBe('/* prepared */ select $1::numeric + $2::numeric as sum');
  } finally {
    await db.destroy();
  }
});

test('one that fails can be made again on the same connection', async () => {
  const db = openDatabase(embeddedConnection(database.folder), 1);
  const divided = (by: number) => runOften(db, sql<{ part: number }>`select 6 / ${by}::integer as part`);
  try {
    await expect(divided(0)).rejects.toThrow('division by zero');
    expect(await divided(2)).toEqual([{ part: 3 }]);
    expect(await keptBy(db)).toHaveLength(1);
  } finally {
    await db.destroy();
  }
});

test('on the way to another database there may be a pooler: nothing is kept there', async () => {
  const { host, user, password } = embeddedConnection(database.folder);
  const connectionString = `postgres://${user}:${password}@localhost/postgres?host=${encodeURIComponent(host)}`;
  const db = openDatabase({ connectionString }, 1);
  try {
    expect(await sumOf(db, 1, 2n)).toEqual([{ sum: 3n }]);
    expect(await keptBy(db)).toEqual([]);
  } finally {
    await db.destroy();
  }
});
