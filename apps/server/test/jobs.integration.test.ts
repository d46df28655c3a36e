import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { AppContext } from '../src/context.ts';
import { openDatabase } from '../src/db/database.ts';
import { type EmbeddedPostgres, startPostgres } from '../src/db/embedded-postgres.ts';
import { migrate } from '../src/db/migrate.ts';
import { type Db, transactOn } from '../src/db/tx.ts';
import {
  claimInstance,
  insertInstance,
  LostRunError,
  moveInstance,
} from '../src/features/deploy/instance-store.ts';
import { deployQueue } from '../src/features/deploy/queue.ts';
import { insertDeploy } from '../src/features/deploy/store.ts';
import { sweepInstances } from '../src/features/deploy/sweep-instances.ts';
import { signInUser } from '../src/features/user/sign-in-user.ts';
import { openInstanceLog, readInstanceLog } from '../src/jobs/instance-log.ts';
import { createJobQueue, type JobQueue, type Queue } from '../src/jobs/job-queue.ts';
import { createLogger } from '../src/logger.ts';

const numbers: Queue<{ n: number }> = { name: 'numbers', retries: 2 };
const log = createLogger({ logLevel: 'silent' });

let folder: string;
let postgres: EmbeddedPostgres;
let db: Db;
let jobs: JobQueue;
let transact: ReturnType<typeof transactOn>;
let userId: string;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'cannery-jobs-'));
  postgres = await startPostgres({ dataDir: folder });
  db = openDatabase(postgres.connection);
  await migrate(db);
  transact = transactOn(db);
  const nobody = { name: undefined, email: undefined, picture: undefined };
  userId = await transact((tx) =>
    signInUser(tx, { issuer: 'test', subject: 'ada', username: 'ada', ...nobody }, { openingBalance: 1n }),
  );
  jobs = createJobQueue({ connection: postgres.connection, log, queues: [numbers, deployQueue] });
  await jobs.start();
});

afterAll(async () => {
  await jobs.stop();
  await db.destroy();
  await postgres.stop();
  rmSync(folder, { recursive: true, force: true });
});

async function until(condition: () => boolean): Promise<void> {
  for (const end = Date.now() + 30_000; !condition(); await delay(20)) {
    if (Date.now() > end) throw new Error('waited too long');
  }
}

async function scheduled(): Promise<string> {
  return transact(async (tx) => {
    const deployId = await insertDeploy(tx, {
      userId,
      name: 'x',
      type: 'MOTOKO',
      branch: 'main',
      repoOwner: 'ada',
      repoName: 'x',
      isPublic: false,
      buildCommand: null,
      publishDirectory: null,
    });
    return insertInstance(tx, { deployId, userId, triggerBy: 'MANUAL' });
  });
}

describe('the job queue', () => {
  test('a job exists exactly when its transaction commits, and is tried again when it fails', async () => {
    const ran: number[] = [];
    await jobs.work({
      queue: numbers,
      concurrency: 1,
      run: async ({ n }) => {
        ran.push(n);
        if (n === 2 && ran.filter((one) => one === 2).length < 3) throw new Error('not yet');
      },
    });
    const rolledBack = transact(async (tx) => {
      await jobs.send(tx, numbers, { n: 1 });
      throw new Error('rolled back');
    });
    await expect(rolledBack).rejects.toThrow('rolled back');
    await transact((tx) => jobs.send(tx, numbers, { n: 2 }));
    await until(() => ran.length === 3);
    expect(ran).toEqual([2, 2, 2]);
    expect(await jobs.isOpen(numbers, { n: 1 })).toBe(false);
  });
});

describe('the status of a run', () => {
  test('[STATE-09] moves only along its course', async () => {
    const id = await scheduled();
    const move = (attempt: number, to: 'SCHEDULED' | 'RUNNING' | 'COMPLETED' | 'FAILED') =>
      transact((tx) => moveInstance(tx, { id, attempt }, to));
    await expect(move(0, 'COMPLETED')).rejects.toThrow(LostRunError);
    expect(await move(0, 'RUNNING')).toMatchObject({ status: 'RUNNING', attempt: 1, duration_ms: null });
    expect(await move(1, 'COMPLETED')).toMatchObject({ status: 'COMPLETED' });
    for (const to of ['SCHEDULED', 'RUNNING', 'FAILED'] as const) {
      await expect(move(1, to)).rejects.toThrow(LostRunError);
    }
    expect(await transact((tx) => claimInstance(tx, id))).toBeNull();
  });

  test('a worker that was taken for dead can change nothing any more', async () => {
    const id = await scheduled();
    const first = await transact((tx) => claimInstance(tx, id));
    const second = await transact((tx) => claimInstance(tx, id));
    expect([first?.attempt, second?.attempt]).toEqual([1, 2]);
    await expect(transact((tx) => moveInstance(tx, { id, attempt: 1 }, 'FAILED'))).rejects.toThrow(
      LostRunError,
    );
    expect(await transact((tx) => moveInstance(tx, { id, attempt: 2 }, 'COMPLETED'))).toMatchObject({
      status: 'COMPLETED',
    });
  });

  test('a run that no job stands behind is ended with a line that says so', async () => {
    const ctx = { db, transact, log, jobs } as AppContext;
    const lost = await scheduled();
    const young = await scheduled();
    const waiting = await scheduled();
    await transact(async (tx) => {
      await jobs.send(tx, deployQueue, { instanceId: waiting });
      await tx
        .updateTable('deploy_instances')
        .set({ created_at: new Date(Date.now() - 120_000) })
        .where('id', 'in', [lost, waiting])
        .execute();
    });
    expect(await sweepInstances(ctx)).toBe(1);
    const statuses = await db
      .selectFrom('deploy_instances')
      .select(['id', 'status'])
      .where('id', 'in', [lost, young, waiting])
      .execute();
    expect(Object.fromEntries(statuses.map(({ id, status }) => [id, status]))).toEqual({
      [lost]: 'FAILED',
      [young]: 'SCHEDULED',
      [waiting]: 'SCHEDULED',
    });
    expect(await readInstanceLog(db, lost)).toBe(
      'Failed: the server stopped while it ran this deploy. Deploy again.',
    );
  });

  test('two triggers at once start one run', async () => {
    const id = await scheduled();
    const { deploy_id } = await db
      .selectFrom('deploy_instances')
      .select('deploy_id')
      .where('id', '=', id)
      .executeTakeFirstOrThrow();
    await transact((tx) => moveInstance(tx, { id, attempt: 0 }, 'FAILED'));
    const results = await Promise.allSettled(
      Array.from({ length: 10 }, () =>
        transact((tx) => insertInstance(tx, { deployId: deploy_id, userId, triggerBy: 'MANUAL' })),
      ),
    );
    expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    for (const result of results) {
      if (result.status === 'rejected') expect(result.reason).toMatchObject({ code: 'deploy_running' });
    }
  });
});

describe('the log of a run', () => {
  test('keeps its order, hides secrets and goes on behind an earlier worker', async () => {
    const instanceId = await scheduled();
    const options = { transact, db, log, instanceId, secrets: ['a known secret'] };
    const first = await openInstanceLog(options);
    for (let n = 0; n < 500; n += 1) first.line(`line ${n}`);
    first.line('\u0000the value is a known secret\u001b[2J');
    await first.flush();
    const second = await openInstanceLog(options);
    second.say('again');
    await second.flush();
    const lines = (await readInstanceLog(db, instanceId))?.split('\n') ?? [];
    expect(lines).toHaveLength(502);
    expect(lines[499]).toBe('line 499');
    expect(lines.slice(500)).toEqual(['the value is [hidden]', 'again']);
  });

  test('lines appear while the run goes on', async () => {
    const instanceId = await scheduled();
    const writer = await openInstanceLog({ transact, db, log, instanceId, secrets: [] });
    expect(await readInstanceLog(db, instanceId)).toBeNull();
    writer.line('now');
    await delay(1_000);
    expect(await readInstanceLog(db, instanceId)).toBe('now');
  });

  test('is cut at its limit, but keeps what the server says at the end', async () => {
    const instanceId = await scheduled();
    const writer = await openInstanceLog({ transact, db, log, instanceId, secrets: [] });
    const long = 'x'.repeat(1_000);
    for (let n = 0; n < 10_000; n += 1) writer.line(long);
    writer.say('Failed: the end.');
    await writer.flush();
    const text = (await readInstanceLog(db, instanceId)) ?? '';
    expect(text.length).toBeLessThan(5.1 * 1024 * 1024);
    expect(text.split('\n').slice(-2)).toEqual([
      '… The output is longer than 5 MB; the rest is not kept.',
      'Failed: the end.',
    ]);
  });
});
