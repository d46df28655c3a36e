import { setTimeout as delay } from 'node:timers/promises';
import type { KyselyPlugin, QueryId } from 'kysely';
import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { embeddedConnection } from '../../src/db/postgres/embedded-postgres.ts';
import { LiveWatches } from '../../src/features/live/live-watches.ts';
import { createLogger } from '../../src/log/logger.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.close());

/** Notes when statements of a kind were made, and when one of another kind was answered last. */
function clockOf(made: string, answered: string) {
  const madeAt: number[] = [];
  const open = new Set<QueryId>();
  let answeredAt = 0;
  const plugin: KyselyPlugin = {
    transformQuery({ node, queryId }) {
      const text = JSON.stringify(node);
      if (text.includes(made)) madeAt.push(performance.now());
      if (text.includes(answered)) open.add(queryId);
      return node;
    },
    async transformResult({ result, queryId }) {
      if (open.has(queryId)) answeredAt = performance.now();
      return result;
    },
  };
  return { plugin, madeAt, sinceAnswer: () => madeAt.filter((at) => at > answeredAt) };
}

test('while a transaction of anybody takes long, one looks whether it is over for all pages, ever more seldom', async () => {
  const looks = clockOf('pg_snapshot_xmin', 'pg_snapshot_xmax');
  const watches = new LiveWatches({
    db: database.db.withPlugin(looks.plugin),
    log: createLogger({ logLevel: 'silent' }),
  });
  const long = new pg.Client(embeddedConnection(database.folder));
  await long.connect();
  await long.query('begin');
  // It is given a number, as one that writes.
  await long.query('select pg_current_xact_id()');
  const told = new Map<string, number>();
  const pages = Array.from({ length: 60 }, (_, place) => {
    const subject = `user-${place}`;
    return { subject, watcher: { onGap: () => told.set(subject, (told.get(subject) ?? 0) + 1) } };
  });
  const startedAt = performance.now();
  try {
    await Promise.all(pages.map(({ subject, watcher }) => watches.enter(subject, watcher)));
    await delay(1_000);
    expect(looks.madeAt.length).toBeLessThanOrEqual((performance.now() - startedAt) / 100 + 1);
    await expect.poll(() => looks.sinceAnswer().length, { timeout: 20_000 }).toBeGreaterThan(3);
    const [one = 0, two = 0, three = 0] = looks.sinceAnswer();
    // A timer of Node may be a millisecond early.
    expect(two - one).toBeGreaterThan(190);
    expect(three - two).toBeGreaterThan(390);
    expect(told.size).toBe(0);
    await long.query('commit');
    await expect.poll(() => told.size, { timeout: 20_000 }).toBe(pages.length);
    expect(new Set(told.values())).toEqual(new Set([1]));
  } finally {
    for (const { subject, watcher } of pages) watches.leave(subject, watcher);
    await long.end();
  }
}, 60_000);
