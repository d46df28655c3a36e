import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { embeddedConnection } from '../../src/db/postgres/embedded-postgres.ts';
import { holdPayments, openPaymentFence } from '../../src/jobs/payment-fence.ts';
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
