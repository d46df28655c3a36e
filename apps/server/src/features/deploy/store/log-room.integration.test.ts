import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { anyDeploy } from '../../../../test/support/any-deploy.ts';
import { createTestDatabase, type TestDatabase } from '../../../../test/support/database.ts';
import { openInstanceLog, readInstanceLog } from '../../../jobs/instance-log.ts';
import { createLogger } from '../../../log/logger.ts';
import { LOGS_OF_USER, REMOVED_LINE } from './log-room.ts';
import { insertInstance, listRuns, MOST_RUNS_LISTED, moveInstance } from './run-store.ts';
import { insertDeploy } from './store.ts';

const MIB = 1024 ** 2;
let database: TestDatabase;
let userId: string;
let deployId: string;

beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.close());
beforeEach(async () => {
  userId = await database.newUser(1n);
  deployId = await database.transact((tx) => insertDeploy(tx, anyDeploy(userId)));
});

/** A run that goes on, with a line in its log. */
async function running(line = 'line', of = { userId, deployId }): Promise<string> {
  const { db, transact } = database;
  const id = await transact(async (tx) => {
    const run = await insertInstance(tx, { ...of, triggerBy: 'MANUAL' }, 1_000);
    await moveInstance(tx, { id: run.id, attempt: 0 }, 'RUNNING');
    return run.id;
  });
  const log = createLogger({ logLevel: 'silent' });
  const writer = await openInstanceLog({ db, transact, log, instanceId: id, secrets: [] });
  writer.line(line);
  await writer.flush();
  return id;
}

/** Another deploy of the user: of one deploy only one run goes on. */
const another = async () => ({
  userId,
  deployId: await database.transact((tx) => insertDeploy(tx, anyDeploy(userId))),
});

const end = (id: string) =>
  database.transact((tx) => moveInstance(tx, { id, attempt: 1 }, 'COMPLETED')).then(() => id);

/** As though the log of a run were so long. */
const take = (id: string, bytes: number) =>
  database.db.updateTable('deploy_instances').set({ log_bytes: bytes }).where('id', '=', id).execute();

const bytesOf = async (id: string): Promise<number> =>
  (
    await database.db
      .selectFrom('deploy_instances')
      .selectAll()
      .where('id', '=', id)
      .executeTakeFirstOrThrow()
  ).log_bytes;

test('a run that has ended knows what its log takes, and one that goes on counts nothing', async () => {
  const id = await running('a'.repeat(1_000));
  expect(await bytesOf(id)).toBe(0);
  await end(id);
  expect(await bytesOf(id)).toBeGreaterThan(1_000);
  expect(await bytesOf(id)).toBeLessThan(2_000);
});

test('the oldest logs of a user go when all take too much, those of others and the newest stay', async () => {
  const other = await database.newUser(1n);
  const theirs = await running('theirs', {
    userId: other,
    deployId: await database.transact((tx) => insertDeploy(tx, anyDeploy(other))),
  });
  await end(theirs);
  await take(theirs, LOGS_OF_USER);
  const ended: string[] = [];
  for (let n = 0; n < 4; n += 1) ended.push(await end(await running(`log ${n}`)));
  for (const id of ended) await take(id, 100 * MIB);
  await end(await running('the last'));
  const logs = await Promise.all(ended.map((id) => readInstanceLog(database.db, id)));
  expect(logs).toEqual([REMOVED_LINE, REMOVED_LINE, 'log 2', 'log 3']);
  expect(await Promise.all(ended.map(bytesOf))).toEqual([0, 0, 100 * MIB, 100 * MIB]);
  expect(await readInstanceLog(database.db, theirs)).toBe('theirs');
  // What was removed stays so, and takes no room.
  await end(await running());
  expect(await readInstanceLog(database.db, ended[0] ?? '')).toBe(REMOVED_LINE);
});

test('runs that end side by side make room once, and none of them fails', async () => {
  const ended: string[] = [];
  for (let n = 0; n < 10; n += 1) ended.push(await end(await running(`log ${n}`)));
  for (const id of ended) await take(id, 64 * MIB);
  const deploys = await Promise.all(
    Array.from({ length: 6 }, () => database.transact((tx) => insertDeploy(tx, anyDeploy(userId)))),
  );
  const others: string[] = [];
  for (const each of deploys) others.push(await running('new', { userId, deployId: each }));
  await Promise.all(others.map(end));
  const logs = await Promise.all([...ended, ...others].map((id) => readInstanceLog(database.db, id)));
  expect(logs.filter((log) => log === REMOVED_LINE)).toHaveLength(7);
  expect(logs.slice(-6)).toEqual(Array.from({ length: 6 }, () => 'new'));
});

test('a run that ends waits for no other one that is just making room', async () => {
  const old = await end(await running('old'));
  await take(old, LOGS_OF_USER);
  const [first, second] = [await running('first'), await running('second', await another())];
  await database.transact(async (tx) => {
    await moveInstance(tx, { id: first, attempt: 1 }, 'COMPLETED');
    await end(second);
  });
  const logs = await Promise.all([old, first, second].map((id) => readInstanceLog(database.db, id)));
  expect(logs).toEqual([REMOVED_LINE, 'first', 'second']);
}, 20_000);

test('the list of runs has the latest ones only', async () => {
  await database.db
    .insertInto('deploy_instances')
    .values(
      Array.from({ length: MOST_RUNS_LISTED + 5 }, (_, n) => ({
        id: randomUUID(),
        deploy_id: deployId,
        user_id: userId,
        status: 'FAILED' as const,
        trigger_by: `run ${n}`,
        commit_id: null,
        commit_message: null,
        duration_ms: null,
        started_at: null,
        finished_at: null,
      })),
    )
    .execute();
  const runs = await listRuns(database.db, userId, deployId);
  expect([runs.length, runs[0]?.trigger_by]).toEqual([MOST_RUNS_LISTED, `run ${MOST_RUNS_LISTED + 4}`]);
});
