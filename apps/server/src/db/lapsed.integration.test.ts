import { expect, test } from 'vitest';
import { createTestDatabase } from '../../test/support/database.ts';
import { hasLapsed, lapsed } from './lapsed.ts';

const LEASE_MS = 30_000;
const HOUR_MS = 3_600_000;

test('a lease that was taken before the clock was put back does not hold until the clock is there again', async () => {
  const database = await createTestDatabase();
  try {
    const userId = await database.newUser(0n);
    const until = (ms: number): Date => new Date(Date.now() + ms);
    for (const [name, ms] of [
      ['over', -1],
      ['held', LEASE_MS],
      ['held by a clock that is two minutes ahead', LEASE_MS + 120_000],
      ['left from before', 2 * HOUR_MS],
    ] as const) {
      await database.db
        .insertInto('canisters')
        .values({
          id: name,
          user_id: userId,
          name,
          status: 'running',
          action_id: 'x',
          action_expires_at: until(ms),
        } as never)
        .execute();
    }
    const found = await database.db
      .selectFrom('canisters')
      .select('id')
      .where(lapsed('action_expires_at', LEASE_MS))
      .orderBy('id')
      .execute();
    expect(found.map(({ id }) => id)).toEqual(['left from before', 'over']);
    expect([hasLapsed(until(LEASE_MS), LEASE_MS), hasLapsed(until(2 * HOUR_MS), LEASE_MS)]).toEqual([
      false,
      true,
    ]);
  } finally {
    await database.close();
  }
});
