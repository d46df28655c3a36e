import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { embeddedConnection } from '../../src/db/postgres/embedded-postgres.ts';
import { holdPayments, openPaymentFence } from '../../src/jobs/payment-fence.ts';
import { openCuttingProxy } from '../service/cutting-proxy.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.close());

const log = { debug: () => undefined };

test('a backup waits for those inside of every process, lets nobody in meanwhile, and then everybody', async () => {
  const connection = embeddedConnection(database.folder);
  await using first = openPaymentFence({ connection, log });
  await using second = openPaymentFence({ connection, log });
  const steps: string[] = [];
  const inside = Promise.withResolvers<void>();
  const entered = Promise.withResolvers<void>();
  const early = first.pass(async () => {
    entered.resolve();
    await inside.promise;
    steps.push('early');
  });
  await Promise.all([entered.promise, second.pass(async () => undefined)]);
  const client = new pg.Client(connection);
  await client.connect();
  try {
    const holding = holdPayments(client).then((held) => {
      steps.push('held');
      return held;
    });
    // The backup waits for the one that is inside.
    await expect.poll(async () => (await waitingFor(connection)) > 0).toBe(true);
    inside.resolve();
    const held = await holding;
    const late = [first, second].map((fence) => fence.pass(async () => void steps.push('late')));
    await early;
    expect(steps).toEqual(['early', 'held']);
    expect(await held.release()).toBeGreaterThan(0);
    await Promise.all(late);
    expect(steps).toEqual(['early', 'held', 'late', 'late']);
    // Once more, and with a process that has died.
    await second[Symbol.asyncDispose]();
    const again = await holdPayments(client);
    await again.release();
    await first.pass(async () => void steps.push('after'));
    expect(steps.at(-1)).toBe('after');
  } finally {
    await client.end();
  }
}, 60_000);

/** A line to the database that a test can silence. */
async function openLine() {
  const { host, user, password, database: name } = embeddedConnection(database.folder);
  const line = await openCuttingProxy(join(host, '.s.PGSQL.5432'));
  const { port } = new URL(line.url);
  const connectionString = `postgres://${user}:${encodeURIComponent(password)}@127.0.0.1:${port}/${name}`;
  return { ...line, connectionString, [Symbol.asyncDispose]: () => line.close() };
}

test('a line that goes silent is noticed while nobody pays, and no payment passes until another one is there', async () => {
  await using line = await openLine();
  const { connectionString } = line;
  const patience = { tryMs: 50, answerMs: 1_000, lockMs: 60_000 };
  await using fence = openPaymentFence({ connection: { connectionString }, log, patience });
  await fence.pass(async () => undefined);
  line.hush();
  // Only a process that has noticed opens a second connection.
  await expect.poll(() => line.sent.length, { timeout: 20_000 }).toBeGreaterThan(1);
  let passed = false;
  const late = fence.pass(async () => void (passed = true));
  await sleep(100);
  expect(passed).toBe(false);
  line.speak();
  await late;
  expect(passed).toBe(true);
  // The tries go on meanwhile, and let nobody in while a backup has its moment.
  const client = new pg.Client(embeddedConnection(database.folder));
  await client.connect();
  try {
    const held = await holdPayments(client);
    let isPaid = false;
    const paying = fence.pass(async () => void (isPaid = true));
    await sleep(300);
    expect(isPaid).toBe(false);
    await held.release();
    await paying;
  } finally {
    await client.end();
  }
}, 60_000);

test('a line that goes silent while a backup has the lock is given up, and payments pass again after the backup', async () => {
  await using line = await openLine();
  const { connectionString } = line;
  const patience = { tryMs: 60_000, answerMs: 1_000, lockMs: 500 };
  await using fence = openPaymentFence({ connection: { connectionString }, log, patience });
  await fence.pass(async () => undefined);
  const client = new pg.Client(embeddedConnection(database.folder));
  await client.connect();
  try {
    const held = await holdPayments(client);
    line.hush();
    const before = line.sent.length;
    await expect.poll(() => line.sent.length, { timeout: 20_000 }).toBeGreaterThan(before);
    line.speak();
    await held.release();
    await fence.pass(async () => undefined);
  } finally {
    await client.end();
  }
}, 60_000);

/** How many wait for a lock that payments know. */
async function waitingFor(connection: pg.ClientConfig): Promise<number> {
  const other = new pg.Client(connection);
  await other.connect();
  try {
    const { rows } = await other.query("select 1 from pg_locks where locktype = 'advisory' and not granted");
    return rows.length;
  } finally {
    await other.end();
  }
}
