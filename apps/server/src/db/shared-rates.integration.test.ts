import { setTimeout as delay } from 'node:timers/promises';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../../test/support/database.ts';
import { createLogger } from '../log/logger.ts';
import { ratesFor } from './shared-rates.ts';

let database: TestDatabase;
/** How far the clock of this process is ahead, in milliseconds. */
let ahead = 0;

beforeAll(async () => {
  database = await createTestDatabase();
  const now = performance.now.bind(performance);
  vi.spyOn(performance, 'now').mockImplementation(() => now() + ahead);
}, 120_000);
afterAll(async () => {
  vi.restoreAllMocks();
  await database.close();
});

async function bucketCount(): Promise<number> {
  const { rows } = await sql<{ count: number }>`select count(*)::int from rate_buckets`.execute(database.db);
  return rows[0]?.count ?? 0;
}

test('calls do not wait while buckets that are full are tidied up, which another process counts in at that moment', async () => {
  const log = createLogger({ logLevel: 'silent' });
  const rates = ratesFor({ databaseUrl: 'postgres://elsewhere' }, database.db, log);
  const rate = rates.open('test', { perSecond: 1_000, burst: 16 });
  expect(await rate.take('idle')).toBe(0);
  await expect.poll(bucketCount).toBe(1);
  await delay(100);
  const [locked, over] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const other = database.db.transaction().execute(async (tx) => {
    await sql`select key from rate_buckets for update`.execute(tx);
    locked.resolve();
    await over.promise;
  });
  try {
    await locked.promise;
    ahead += 61_000;
    expect(await rate.take('first')).toBe(0);
    expect(await Promise.race([rate.take('second'), delay(20_000, 'it waits')])).toBe(0);
  } finally {
    over.resolve();
    await other;
  }
  // It goes the next time.
  await delay(100);
  ahead += 61_000;
  expect(await rate.take('third')).toBe(0);
  await expect.poll(bucketCount, { timeout: 10_000 }).toBeLessThan(2);
}, 90_000);
