import { join } from 'node:path';
import { sql } from 'kysely';
import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type CuttingProxy, openCuttingProxy } from '../../test/service/cutting-proxy.ts';
import { createTestDatabase, type TestDatabase } from '../../test/support/database.ts';
import { storageError } from '../storage-errors.ts';
import { openDatabase } from './database.ts';
import { embeddedConnection } from './postgres/embedded-postgres.ts';
import { type Db, transactOn } from './tx.ts';
import { WatchedClient } from './watched-client.ts';

/** A database elsewhere, and the way to it. */

const SILENT_MS = 1000;

let database: TestDatabase;
let line: CuttingProxy;
let db: Db;
let address: string;

beforeAll(async () => {
  database = await createTestDatabase();
  const { host, user, password, database: name } = embeddedConnection(database.folder);
  line = await openCuttingProxy(join(host, '.s.PGSQL.5432'));
  address = `${line.url.replace('http:', `postgres://${user}:${encodeURIComponent(password)}@`).replace('@//', '@')}/${name}`;
  db = openDatabase({ connectionString: address });
  await sql`create table noted (what text primary key)`.execute(db);
});
afterAll(async () => {
  await db.destroy();
  await line.close();
  await database.close();
});

const connected = async (): Promise<WatchedClient> => {
  const client = new WatchedClient({ connectionString: address, silentMs: SILENT_MS });
  client.on('error', () => undefined);
  await client.connect();
  return client;
};

test('a statement that takes long is waited for', async () => {
  const client = await connected();
  const { rows } = await client.query('select pg_sleep(3)::text as slept');
  expect(rows).toEqual([{ slept: '' }]);
  await client.end();
});

test('a statement whose answer is lost without a word ends, and the caller learns that the outcome is unknown', async () => {
  const client = await connected();
  line.hush();
  const asked = client.query("insert into noted values ('never heard')").then(
    () => undefined,
    (error: unknown) => error,
  );
  // The database is there again, under the same address; the connection is not.
  setTimeout(() => line.speak(), 100);
  const refusal = storageError(await asked);
  expect(refusal?.code).toBe('database_unavailable');
  expect(refusal?.detail).toContain('may have been carried out');
});

test('a host that is gone for good is given up', async () => {
  const client = await connected();
  await client.query('select 1');
  line.hush();
  const lost = client.query('select 1').then(
    () => undefined,
    (error: unknown) => storageError(error)?.code,
  );
  // New connections get no answer, either.
  expect(await lost).toBe('database_unavailable');
  line.speak();
});

test('a COMMIT whose answer is lost is an error that says so, and what it committed is there once', async () => {
  const before = line.lost();
  line.loseAnswerTo('commit');
  const transact = transactOn(db);
  const write = () => transact((tx) => sql`insert into noted values ('kept')`.execute(tx));
  const refusal = storageError(await write().catch((error: unknown) => error));
  expect(line.lost()).toBe(before + 1);
  expect([refusal?.code, refusal?.detail]).toEqual([
    'database_unavailable',
    expect.stringContaining('may have been carried out'),
  ]);
  const direct = new pg.Client(embeddedConnection(database.folder));
  await direct.connect();
  const { rows } = await direct.query("select * from noted where what = 'kept'");
  await direct.end();
  expect(rows).toHaveLength(1);
});
