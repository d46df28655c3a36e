import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Config } from '../../src/config/config.ts';
import { insertInstance } from '../../src/features/deploy/store/run-store.ts';
import { insertDeploy } from '../../src/features/deploy/store/store.ts';
import { embeddedConnection } from '../../src/db/postgres/embedded-postgres.ts';
import { createLogStreams } from '../../src/features/deploy/runs/stream-log.ts';
import { openSession } from '../../src/features/session/store.ts';
import { addLogLine, openInstanceLog, readInstanceLog } from '../../src/jobs/instance-log.ts';
import { openNotices } from '../../src/jobs/notices.ts';
import { createLogger } from '../../src/log/logger.ts';
import { anyDeploy } from '../support/any-deploy.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';

let database: TestDatabase;
let options: Pick<TestDatabase, 'db' | 'transact'> & { log: ReturnType<typeof createLogger> };
let userId: string;

beforeAll(async () => {
  database = await createTestDatabase();
  userId = await database.newUser(1n);
  options = { db: database.db, transact: database.transact, log: createLogger({ logLevel: 'silent' }) };
});
afterAll(() => database.close());

async function scheduled(): Promise<string> {
  return database.transact(async (tx) => {
    const deployId = await insertDeploy(tx, anyDeploy(userId));
    return (await insertInstance(tx, { deployId, userId, triggerBy: 'MANUAL' }, 100)).id;
  });
}

describe('the log of a run', () => {
  test('keeps its order, hides secrets and goes on behind an earlier worker', async () => {
    const instanceId = await scheduled();
    const told = { ...options, instanceId, secrets: ['a known secret'] };
    const first = await openInstanceLog(told);
    for (let n = 0; n < 500; n += 1) first.line(`line ${n}`);
    first.line('\u0000the value is a known secret\u001b[2J');
    await first.flush();
    const second = await openInstanceLog(told);
    second.say('again');
    await second.flush();
    const lines = (await readInstanceLog(database.db, instanceId))?.split('\n') ?? [];
    expect(lines).toHaveLength(502);
    expect(lines[499]).toBe('line 499');
    expect(lines.slice(500)).toEqual(['the value is [hidden]', 'again']);
  });

  test('lines appear while the run goes on', async () => {
    const instanceId = await scheduled();
    const writer = await openInstanceLog({ ...options, instanceId, secrets: [] });
    expect(await readInstanceLog(database.db, instanceId)).toBeNull();
    writer.line('now');
    await delay(1_000);
    expect(await readInstanceLog(database.db, instanceId)).toBe('now');
  });

  test.each([
    ['bytes', 'x'.repeat(1_000), 10_000, 5_239],
    ['lines', 'y', 150_000, 100_002],
  ])('is cut at its limit of %s, but keeps what the server says', async (_what, line, count, most) => {
    const instanceId = await scheduled();
    const writer = await openInstanceLog({ ...options, instanceId, secrets: [] });
    for (let n = 0; n < count; n += 1) writer.line(line);
    writer.say('Failed: the end.');
    await writer.flush();
    const lines = (await readInstanceLog(database.db, instanceId))?.split('\n') ?? [];
    expect(lines).toHaveLength(most);
    expect(lines.slice(-2)).toEqual([
      '… The output is longer than 5 MB or 100000 lines; the rest is not kept.',
      'Failed: the end.',
    ]);
  });

  test('knows number, time and phase of each line, behind an earlier worker and for one line more too', async () => {
    const instanceId = await scheduled();
    const first = await openInstanceLog({ ...options, instanceId, secrets: [] });
    first.say('==> Checking out', 'checkout');
    first.line('one');
    first.say('==> Building', 'build');
    await delay(60);
    first.line('two');
    await first.flush();
    const second = await openInstanceLog({ ...options, instanceId, secrets: [] });
    second.line('again');
    await second.flush();
    await database.transact((tx) => addLogLine(tx, instanceId, 'Cancelled by ada.'));
    const rows = await database.db
      .selectFrom('deploy_log_lines')
      .select(['first_line', 'phase', 'text', 'after_ms', 'written_at'])
      .where('instance_id', '=', instanceId)
      .orderBy('seq')
      .execute();
    const lines = rows.flatMap(({ text, first_line, phase }) =>
      text.split('\n').map((line, at) => [(first_line ?? 0) + at, phase, line]),
    );
    expect(lines).toEqual([
      [1, 'checkout', '==> Checking out'],
      [2, 'checkout', 'one'],
      [3, 'build', '==> Building'],
      [4, 'build', 'two'],
      [5, null, 'again'],
      [6, null, 'Cancelled by ada.'],
    ]);
    const times = rows.flatMap(({ written_at, after_ms }) =>
      (after_ms ?? []).map((after) => Number(written_at) + after),
    );
    expect(times).toEqual(times.toSorted((a, b) => a - b));
    expect((times[3] ?? 0) - (times[2] ?? 0)).toBeGreaterThanOrEqual(50);
  });
});

test('[R14] a reader that stops reading holds little, and is cut', async () => {
  const instanceId = await scheduled();
  const writer = await openInstanceLog({ ...options, instanceId, secrets: [] });
  for (let n = 0; n < 4_000; n += 1) writer.line('x'.repeat(1_000));
  await writer.flush();
  const { deploy_id: deployId } = await database.db
    .selectFrom('deploy_instances')
    .select('deploy_id')
    .where('id', '=', instanceId)
    .executeTakeFirstOrThrow();
  const token = await database.transact((tx) => openSession(tx, { userId, device: 'a test' }));
  const notices = openNotices({ connection: embeddedConnection(database.folder), log: options.log });
  const config = { sessionIdleMs: 60_000 } as Config;
  const streams = createLogStreams({ ...options, notices, config }, 500);
  const user = { id: userId, username: 'ada' };
  const stream = await streams.open(user, { deployId, instanceId, after: 0, token });
  let most = 0;
  const start = Date.now();
  for (; !stream.destroyed && Date.now() - start < 20_000; await delay(20))
    most = Math.max(most, stream.readableLength);
  expect(stream.destroyed).toBe(true);
  expect(Date.now() - start).toBeGreaterThan(400);
  expect(most).toBeGreaterThan(64 * 1024);
  expect(most).toBeLessThan(512 * 1024);
  await notices.stop();
});
