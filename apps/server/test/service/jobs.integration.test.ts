import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { Ed25519KeyIdentity } from '@icp-sdk/core/identity';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { BuildMachine } from '../../src/builders/machine/build-machine.ts';
import type { AppContext } from '../../src/context.ts';
import { openDatabase } from '../../src/db/database.ts';
import { type EmbeddedPostgres, startPostgres } from '../../src/db/postgres/embedded-postgres.ts';
import { migrate } from '../../src/db/migrate.ts';
import { type Db, transactOn } from '../../src/db/tx.ts';
import {
  claimInstance,
  insertInstance,
  LostRunError,
  moveInstance,
} from '../../src/features/deploy/store/run-store.ts';
import { runDeploy } from '../../src/features/deploy/runs/run-deploy.ts';
import { deployQueue, runQueues } from '../../src/features/deploy/store/queue.ts';
import { insertDeploy } from '../../src/features/deploy/store/store.ts';
import { sweepFolders } from '../../src/features/deploy/runs/sweep-folders.ts';
import { sweepInstances } from '../../src/features/deploy/runs/sweep-instances.ts';
import { signInUser } from '../../src/features/user/sign-in-user.ts';
import { createIcClient } from '../../src/ic/create-ic-client.ts';
import { readInstanceLog } from '../../src/jobs/instance-log.ts';
import { createJobQueue, type JobQueue, type Queue } from '../../src/jobs/job-queue.ts';
import { createLogger } from '../../src/log/logger.ts';
import { noSandbox, testMachine } from '../../src/builders/disks/workspace.testing.ts';
import { anyDeploy } from '../support/any-deploy.ts';
import { NO_NETWORK } from '../support/server.ts';

const numbers: Queue<{ n: number }> = { name: 'numbers', retries: 2 };
const shared: Queue<{ user: string; deployId: string; n: number }> = { name: 'shared', retries: 0 };
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
  jobs = createJobQueue({ connection: postgres.connection, log, queues: [numbers, shared, ...runQueues] });
  await jobs.start();
});

afterAll(async () => {
  await jobs.stop();
  await db.destroy();
  await postgres.stop();
  rmSync(folder, { recursive: true, force: true });
});

/** Runs that a user may have open here. */
const MANY = 100;

async function until(condition: () => boolean): Promise<void> {
  for (const end = Date.now() + 30_000; !condition(); await delay(20)) {
    if (Date.now() > end) throw new Error('waited too long');
  }
}

async function scheduled(): Promise<string> {
  return transact(async (tx) => {
    const deployId = await insertDeploy(tx, anyDeploy(userId));
    return (await insertInstance(tx, { deployId, userId, triggerBy: 'MANUAL' }, MANY)).id;
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

describe('runs of several users', () => {
  async function user(name: string): Promise<string> {
    const nobody = { name: undefined, email: undefined, picture: undefined };
    const identity = { issuer: 'test', subject: name, username: name, ...nobody };
    return transact((tx) => signInUser(tx, identity, { openingBalance: 1n }));
  }

  async function deployOf(owner: string): Promise<string> {
    return transact((tx) => insertDeploy(tx, anyDeploy(owner)));
  }

  test('twenty runs of one user keep the first of another one waiting for one run at most', async () => {
    const eve = await user('eve');
    const zoe = await user('zoe');
    const trigger = async (owner: string): Promise<void> => {
      const deployId = await deployOf(owner);
      await transact(async (tx) => {
        const { turn } = await insertInstance(tx, { deployId, userId: owner, triggerBy: 'MANUAL' }, MANY);
        await jobs.send(tx, shared, { user: owner, deployId, n: turn }, { tenant: owner, turn });
      });
    };
    const order: string[] = [];
    let running = 0;
    let mostOfOne = 0;
    const first = Promise.withResolvers<void>();
    await jobs.work({
      queue: shared,
      concurrency: 3,
      concurrencyPerTenant: 1,
      run: async ({ user: owner, deployId }) => {
        order.push(owner);
        await transact((tx) =>
          tx
            .updateTable('deploy_instances')
            .set({ status: 'RUNNING' })
            .where('deploy_id', '=', deployId)
            .execute(),
        );
        if (owner !== eve) return;
        running += 1;
        mostOfOne = Math.max(mostOfOne, running);
        await first.promise;
        running -= 1;
      },
    });
    for (let run = 0; run < 20; run += 1) await trigger(eve);
    await until(() => order.length > 0);
    // Eve's first run hangs; Zoe's start nevertheless, one after the other.
    await trigger(zoe);
    await trigger(zoe);
    await until(() => order.filter((owner) => owner === zoe).length === 2);
    expect(order).toEqual([eve, zoe, zoe]);
    first.resolve();
    await until(() => order.length === 22);
    expect(mostOfOne).toBe(1);
  });

  test('with one place for all, turns go round between users, and nobody starves', async () => {
    const names = await Promise.all(['one', 'two', 'three'].map(user));
    const [one = '', two = '', three = ''] = names;
    const lined: { owner: string; turn: number; id: string }[] = [];
    const trigger = (owner: string) =>
      deployOf(owner).then((deployId) =>
        transact(async (tx) => {
          const run = { deployId, userId: owner, triggerBy: 'MANUAL' };
          lined.push({ owner, ...(await insertInstance(tx, run, MANY)) });
        }),
      );
    const order: string[] = [];
    const runNext = async (): Promise<void> => {
      const [next] = lined.sort((a, b) => a.turn - b.turn).splice(0, 1);
      if (next === undefined) return;
      order.push(next.owner);
      await transact((tx) => claimInstance(tx, next.id));
    };
    for (let run = 0; run < 6; run += 1) await trigger(one);
    await runNext();
    await trigger(two);
    await trigger(two);
    await runNext();
    // Whoever comes again and again, one run at a time, does not pass those who wait.
    for (let round = 0; round < 6; round += 1) {
      await trigger(three);
      await runNext();
    }
    while (lined.length > 0) await runNext();
    expect(order.slice(0, 2)).toEqual([one, two]);
    expect(order.slice(0, 8).filter((owner) => owner === one).length).toBeGreaterThanOrEqual(3);
    expect(order).toHaveLength(14);
  });
});

test('a job is run although the database died before it could be', async () => {
  const lasting: Queue<{ n: number }> = { name: 'lasting', retries: 2 };
  const other = createJobQueue({ connection: postgres.connection, log, queues: [lasting] });
  await other.start();
  const ran: number[] = [];
  await other.work({ queue: lasting, concurrency: 1, run: async ({ n }) => void ran.push(n) });
  await transact((tx) => other.send(tx, lasting, { n: 7 }));
  const before = postgres.pid() ?? 0;
  process.kill(before, 'SIGKILL');
  await until(() => ran.includes(7) && postgres.pid() !== undefined && postgres.pid() !== before);
  await transact((tx) => other.send(tx, lasting, { n: 8 }));
  await until(() => ran.includes(8));
  await other.stop();
});

test('a job that was cut off is tried again at once where no other process can be at work on it', async () => {
  const cutOff: Queue<{ n: number }> = { name: 'cut-off', retries: 2 };
  const open = () => createJobQueue({ connection: postgres.connection, log, queues: [cutOff] });
  const first = open();
  await first.start();
  await transact((tx) => first.send(tx, cutOff, { n: 1 }));
  await first.stop();
  // As a worker leaves it that was killed.
  await sql`update pgboss.job set state = 'active', started_on = now(), heartbeat_on = now() where name = 'cut-off'`.execute(
    db,
  );
  const state = async (): Promise<unknown> =>
    (await sql`select state from pgboss.job where name = 'cut-off'`.execute(db)).rows;
  const beside = open();
  await beside.start();
  expect(await state()).toEqual([{ state: 'active' }]);
  await beside.stop();
  const alone = open();
  await alone.start({ isAlone: true });
  expect(await state()).toEqual([{ state: 'retry' }]);
  const ran: number[] = [];
  await alone.work({ queue: cutOff, concurrency: 1, run: async ({ n }) => void ran.push(n) });
  await until(() => ran.includes(1));
  await alone.stop();
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

  test('that took the server down twice is not run a third time; stops in good order do not count', async () => {
    const id = await scheduled();
    const claim = () => transact((tx) => claimInstance(tx, id));
    for (let stops = 0; stops < 5; stops += 1) {
      const claimed = await claim();
      expect(claimed?.crashes).toBe(0);
      await transact((tx) => moveInstance(tx, { id, attempt: claimed?.attempt ?? 0 }, 'SCHEDULED'));
    }
    const [first, second] = [await claim(), await claim()];
    expect([first?.crashes, second?.crashes]).toEqual([0, 1]);
    const ic = createIcClient({ icUrl: NO_NETWORK, identity: Ed25519KeyIdentity.generate() });
    const ctx = { db, transact, log, ic } as AppContext;
    // It ends before anything is built.
    await runDeploy(ctx, { buildsFolder: folder } as BuildMachine, id, new AbortController().signal);
    const { status } = await db
      .selectFrom('deploy_instances')
      .select('status')
      .where('id', '=', id)
      .executeTakeFirstOrThrow();
    expect(status).toBe('FAILED');
    expect(await readInstanceLog(db, id)).toBe(
      'Failed: The server ended unexpectedly 2 times while it ran this deploy, so the deploy is not run again. ' +
        'Look at the server log for the cause, or ask its operator to, then deploy again.',
    );
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

  test('[R4] of two workers that take two runs of a deploy one gets none', async () => {
    const first = await scheduled();
    const { deploy_id: deployId } = await db
      .selectFrom('deploy_instances')
      .select('deploy_id')
      .where('id', '=', first)
      .executeTakeFirstOrThrow();
    const { id: second } = await transact((tx) =>
      insertInstance(tx, { deployId, userId, triggerBy: 'MANUAL' }, MANY),
    );
    await transact((tx) => claimInstance(tx, first));
    await expect(transact((tx) => claimInstance(tx, second))).rejects.toThrow('deploy_instances_running');
  });

  test('a run that waits for one that was lost is let in when that one is ended', async () => {
    const ctx = { db, transact, log, jobs } as AppContext;
    const lost = await scheduled();
    const { deploy_id: deployId } = await db
      .selectFrom('deploy_instances')
      .select('deploy_id')
      .where('id', '=', lost)
      .executeTakeFirstOrThrow();
    const { id: next } = await transact((tx) =>
      insertInstance(tx, { deployId, userId, triggerBy: 'MANUAL', jobSent: false }, MANY),
    );
    expect(await sweepInstances(ctx)).toBe(0);
    expect(await jobs.isOpen(deployQueue, { instanceId: next })).toBe(false);
    await transact((tx) =>
      tx
        .updateTable('deploy_instances')
        .set({ created_at: new Date(Date.now() - 120_000) })
        .where('id', '=', lost)
        .execute(),
    );
    expect(await sweepInstances(ctx)).toBe(1);
    expect(await jobs.isOpen(deployQueue, { instanceId: next })).toBe(true);
  });
});

test('folders of runs that are over are removed; those of open and of just ended runs, and others, stay', async () => {
  const machine = testMachine(mkdtempSync(join(folder, 'data-')), noSandbox);
  const { buildsFolder } = machine;
  const [ended, justEnded, open] = [await scheduled(), await scheduled(), await scheduled()];
  const end = (id: string, agoMs: number): Promise<unknown> =>
    db
      .updateTable('deploy_instances')
      .set({ status: 'FAILED', finished_at: new Date(Date.now() - agoMs) })
      .where('id', '=', id)
      .execute();
  await end(ended, 600_000);
  await end(justEnded, 1_000);
  for (const name of [ended, justEnded, open, 'look-somewhere']) {
    mkdirSync(join(buildsFolder, name), { recursive: true });
    writeFileSync(join(buildsFolder, name, 'variables'), 'export TOKEN=secret');
  }
  expect(await sweepFolders({ db }, machine)).toBe(1);
  expect(readdirSync(buildsFolder).sort()).toEqual([justEnded, open, 'look-somewhere'].sort());
  expect(await sweepFolders({ db }, machine)).toBe(0);
});
