import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import type { AppContext } from '../../src/context.ts';
import { configOf } from '../../src/config/config.ts';
import { readEnv } from '../../src/config/env.ts';
import { embeddedConnection } from '../../src/db/postgres/embedded-postgres.ts';
import { openPaymentFence, type PaymentFence } from '../../src/jobs/payment-fence.ts';
import { lockShares } from '../../src/db/quota.ts';
import type { Tx } from '../../src/db/tx.ts';
import {
  deleteCanisterRow,
  insertCanister,
  linkToDeploy,
  lockedCanister,
} from '../../src/features/canister/core/store.ts';
import { runAction } from '../../src/features/canister/core/run-action.ts';
import { insertIntent } from '../../src/features/canister/payment/intents.ts';
import { intendPayment } from '../../src/features/canister/payment/intend-payment.ts';
import { sweepInstances } from '../../src/features/deploy/runs/sweep-instances.ts';
import { runQueues } from '../../src/features/deploy/store/queue.ts';
import { lockDeploy } from '../../src/features/deploy/store/store.ts';
import { takeEvent } from '../../src/features/github-hook/take-event.ts';
import { countInstall } from '../../src/features/document/published.ts';
import { choosePicture } from '../../src/features/marketplace/dapp-picture.ts';
import { insertDapp } from '../../src/features/marketplace/store.ts';
import { updateDapp } from '../../src/features/marketplace/update-dapp.ts';
import { createJobQueue, type JobQueue } from '../../src/jobs/job-queue.ts';
import { createLogger } from '../../src/log/logger.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';

const T = 1_000_000_000_000n;

let database: TestDatabase;
let jobs: JobQueue;
let fence: PaymentFence;
let ctx: AppContext;
let userId: string;
let canisterId: string;

beforeAll(async () => {
  database = await createTestDatabase();
  const config = configOf(readEnv({ LOG_LEVEL: 'silent' }));
  const log = createLogger(config);
  jobs = createJobQueue({ connection: embeddedConnection(database.folder), log, queues: [...runQueues] });
  await jobs.start();
  fence = openPaymentFence({ connection: embeddedConnection(database.folder), log });
  // A push event needs no more of the context.
  ctx = {
    config,
    log,
    jobs,
    db: database.db,
    transact: database.transact,
    failpoint: () => {},
  } as unknown as AppContext;
});
afterAll(async () => {
  await jobs.stop();
  await fence[Symbol.asyncDispose]();
  await database.close();
});
beforeEach(async () => {
  userId = await database.newUser(1n);
  canisterId = randomUUID();
  await database.transact((tx) =>
    insertCanister(tx, { id: canisterId, userId, name: 'x', cycles: 1n, controllers: [] }),
  );
});

/** Begins something in the middle of a transaction, which goes on as soon as that waits for a lock, or is done. */
async function inTheMiddle(
  begin: (tx: Tx) => Promise<unknown>,
  other: () => Promise<unknown>,
  end: (tx: Tx) => Promise<unknown>,
): Promise<void> {
  let outcome: Promise<unknown> = Promise.resolve();
  await database.transact(async (tx) => {
    await begin(tx);
    let isDone = false;
    outcome = other().finally(() => {
      isDone = true;
    });
    // Awaited below, whatever comes of this transaction.
    outcome.catch(() => undefined);
    while (!isDone && !(await isWaiting())) await delay(20);
    await end(tx);
  });
  await outcome;
}

async function isWaiting(): Promise<boolean> {
  const { rows } = await sql`select 1 from pg_stat_activity where wait_event_type = 'Lock' limit 1`.execute(
    database.db,
  );
  return rows.length > 0;
}

async function newDeploy(id: string, owner: string): Promise<void> {
  await database.db
    .insertInto('deploys')
    .values({
      id,
      user_id: owner,
      name: id,
      type: 'STATIC_SITE',
      branch: 'main',
      repo_owner: 'flour',
      repo_name: 'mill',
      is_public: true,
      github_repository_id: 7,
      settings: JSON.stringify({ build_command: '', publish_directory: '', on_push: true }),
    })
    .execute();
}

test('a push at GitHub begins the runs of all its deploys, while somebody begins one of them', async () => {
  await database.db
    .insertInto('github_installations')
    .values({
      user_id: userId,
      installation_id: 3,
      account_login: 'flour',
      account_id: 1,
      github_user_id: 1,
      github_login: 'flour',
      repository_ids: null,
    })
    .execute();
  const [first, second] = [`a-${userId}`, `b-${userId}`];
  await newDeploy(first, userId);
  await newDeploy(second, userId);
  const content = {
    ref: 'refs/heads/main',
    deleted: false,
    head_commit: { message: 'x' },
    repository: { id: 7 },
    installation: { id: 3 },
  };
  await inTheMiddle(
    (tx) => lockDeploy(tx, userId, second),
    () => takeEvent(ctx, { name: 'push', delivery: randomUUID(), content }),
    (tx) => lockShares(tx, userId),
  );
  const runs = await database.db.selectFrom('deploy_instances').select('deploy_id').execute();
  expect(runs.map((run) => run.deploy_id).toSorted()).toEqual([first, second]);
});

/** Gives the canister a module and a picture of that. */
async function showing(hash: string): Promise<void> {
  await sql`update canisters set module_hash = ${hash} where id = ${canisterId}`.execute(database.db);
  await database.db
    .insertInto('canister_pictures')
    .values({ canister_id: canisterId, module_hash: hash, digest: 'x', picture: Buffer.from('x') })
    .execute();
}

test('a picture of a canister is chosen for a dapp while another one of it is kept', async () => {
  await showing('ab');
  const choose = (tx: Tx): Promise<unknown> =>
    choosePicture(
      tx,
      { id: userId, username: userId },
      { dappId: 'none', wasm: 'other', chosen: canisterId },
    );
  await expect(
    inTheMiddle(
      (tx) => lockedCanister(tx, { id: canisterId, userId }),
      () => database.transact(choose),
      (tx) =>
        tx
          .updateTable('canister_pictures')
          .set({ digest: 'y' })
          .where('canister_id', '=', canisterId)
          .execute(),
    ),
  ).rejects.toThrow('The picture must be of a canister that runs the module');
});

test('a picture of a canister is chosen for a dapp while an installation of the dapp in it is booked', async () => {
  const dapp = {
    userId,
    username: userId,
    name: 'Guestbook',
    gitUrl: null,
    description: 'x',
    icon: null,
    kind: null,
    wasm: 'ab',
    version: '1.0.0',
    picture: null,
    picture_of: null,
  };
  const id = await database.transact((tx) => insertDapp(tx, dapp));
  await showing('ab');
  await inTheMiddle(
    (tx) => lockedCanister(tx, { id: canisterId, userId }),
    () => updateDapp(ctx, { id: userId, username: userId }, { id, key: undefined, picture: canisterId }),
    (tx) => countInstall(tx, id),
  );
  const said = database.db.selectFrom('dapps').select(['picture', 'installs']).where('id', '=', id);
  expect(await said.executeTakeFirst()).toEqual({ picture: 'x', installs: 1 });
});

test('a canister that is created for a part of a deploy that has one already is in the books, without the name', async () => {
  const deploy = `deploy-${userId}`;
  await newDeploy(deploy, userId);
  const again = randomUUID();
  await database.transact(async (tx) => {
    await insertCanister(tx, { id: again, userId, name: 'y', cycles: 1n, controllers: [] });
    await linkToDeploy(tx, { deployId: deploy, canisterId, name: 'site' });
    await linkToDeploy(tx, { deployId: deploy, canisterId: again, name: 'site' });
  });
  const links = await database.db
    .selectFrom('deploy_canisters')
    .select(['canister_id', 'name', 'kind'])
    .where('deploy_id', '=', deploy)
    .orderBy('name')
    .execute();
  expect(links).toEqual([
    { canister_id: canisterId, name: 'site', kind: null },
    { canister_id: again, name: null, kind: null },
  ]);
  await database.transact((tx) => deleteCanisterRow(tx, { id: again, userId }));
});

/** A user, and what begins the payment of a canister for a part of the user's deploy. */
async function creating(): Promise<{ owner: string; deploy: string; intend: () => Promise<unknown> }> {
  const owner = await database.newUser(10n * T);
  const deploy = `deploy-${owner}`;
  await newDeploy(deploy, owner);
  const intend = () =>
    intendPayment(
      { ...ctx, fence },
      { id: owner, username: owner },
      {
        kind: 'create',
        key: undefined,
        cycles: T,
        deploy: { id: deploy, part: 'site' },
        lease: undefined,
        canisterName: 'x',
        cyclesBefore: null,
        call: {
          requestId: randomUUID(),
          envelope: new Uint8Array(),
          effectiveCanisterId: 'aaaaa-aa',
          expiresAt: new Date(),
          ledgerTime: null,
          isRepetition: false,
        },
      },
    );
  return { owner, deploy, intend };
}

const heldOf = async (owner: string): Promise<bigint | undefined> =>
  (await database.db.selectFrom('accounts').select('held').where('user_id', '=', owner).executeTakeFirst())
    ?.held;

test('of two that create one part of a deploy at the same time, one pays', async () => {
  const { owner, deploy, intend } = await creating();
  const both = await Promise.allSettled([intend(), intend()]);
  expect(both.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected']);
  expect(both.find(({ status }) => status === 'rejected')).toMatchObject({
    reason: { code: 'canister_busy' },
  });
  expect(await heldOf(owner)).toBe(T);
  await database.transact((tx) => linkToDeploy(tx, { deployId: deploy, canisterId, name: 'site' }));
  await database.db.deleteFrom('intents').where('user_id', '=', owner).execute();
  await expect(intend(), 'one that is there').rejects.toMatchObject({ code: 'canister_busy' });
});

test('a part of a deploy is not paid for while its creation comes to its end', async () => {
  const { owner, deploy, intend } = await creating();
  await intend();
  await inTheMiddle(
    // Whoever looks for creations that are under way waits here.
    (tx) => sql`lock table intents in access exclusive mode`.execute(tx),
    () => expect(intend()).rejects.toMatchObject({ code: 'canister_busy' }),
    async (tx) => {
      await tx.deleteFrom('intents').where('user_id', '=', owner).execute();
      await linkToDeploy(tx, { deployId: deploy, canisterId, name: 'site' });
    },
  );
  expect(await heldOf(owner)).toBe(T);
});

test('no canister is paid for a deploy that is being deleted', async () => {
  const { owner, deploy, intend } = await creating();
  await database.db
    .updateTable('deploys')
    .set({ deletion_id: 'x', deletion_expires_at: new Date(Date.now() + 20_000) })
    .where('id', '=', deploy)
    .execute();
  await expect(intend()).rejects.toMatchObject({ code: 'deploy_busy' });
  expect(await heldOf(owner)).toBe(0n);
});

test('workers that look for lost runs side by side end each once', async () => {
  const deploy = `deploy-${userId}`;
  await newDeploy(deploy, userId);
  for (let round = 0; round < 5; round += 1) {
    const run = randomUUID();
    await sql`insert into deploy_instances (id, deploy_id, user_id, status, turn, job_sent, trigger_by, created_at)
      values (${run}, ${deploy}, ${userId}, 'SCHEDULED', ${round}, true, 'USER', now() - interval '1 hour')`.execute(
      database.db,
    );
    const sweeps = await Promise.all([sweepInstances(ctx), sweepInstances(ctx), sweepInstances(ctx)]);
    expect(sweeps.reduce((sum, ended) => sum + ended, 0)).toBe(1);
    const lines = database.db.selectFrom('deploy_log_lines').select('text').where('instance_id', '=', run);
    expect(await lines.execute()).toHaveLength(1);
  }
});

/** What deletes the canister, by an action that has let its lease lapse. */
async function lapsedDeletion(tx: Tx): Promise<void> {
  await insertIntent(tx, {
    kind: 'delete',
    userId,
    holdId: null,
    canisterId,
    lease: 'lapsed',
    canisterName: 'x',
    cycles: 0n,
    cyclesBefore: null,
    call: {
      requestId: randomUUID(),
      envelope: Buffer.of(1),
      effectiveCanisterId: canisterId,
      expiresAt: new Date(),
      ledgerTime: null,
      isRepetition: false,
    },
  });
}

const openIntents = () =>
  database.db.selectFrom('intents').select('kind').where('user_id', '=', userId).execute();

test('a lapsed lease is taken over by nobody while its action writes a call down', async () => {
  await leaseLapsed();
  let hasRun = false;
  const other = async () =>
    expect(
      runAction(ctx, { id: userId, username: 'x' }, canisterId, async () => {
        hasRun = true;
      }),
    ).rejects.toMatchObject({ code: 'canister_busy' });
  await inTheMiddle(lapsedDeletion, other, async () => undefined);
  expect(hasRun).toBe(false);
  expect(await openIntents()).toEqual([{ kind: 'delete' }]);
});

test('an action writes no call down while its lapsed lease is being taken over', async () => {
  await leaseLapsed();
  await inTheMiddle(
    (tx) => tx.updateTable('canisters').set({ action_id: 'next' }).where('id', '=', canisterId).execute(),
    () => expect(database.transact(lapsedDeletion)).rejects.toMatchObject({ code: 'canister_busy' }),
    async () => undefined,
  );
  expect(await openIntents()).toEqual([]);
});

test('of two that take over a lapsed lease at once, one has it', async () => {
  await leaseLapsed();
  let running = 0;
  const take = () =>
    runAction(ctx, { id: userId, username: 'x' }, canisterId, async () => {
      running += 1;
      await expect.poll(() => settled).toBe(7);
    });
  let settled = 0;
  const all = await Promise.allSettled(
    Array.from({ length: 8 }, () =>
      take().catch((error: unknown) => {
        settled += 1;
        throw error;
      }),
    ),
  );
  expect(running).toBe(1);
  expect(all.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
});

async function leaseLapsed(): Promise<void> {
  await database.db
    .updateTable('canisters')
    .set({ action_id: 'lapsed', action_expires_at: new Date(Date.now() - 1_000) })
    .where('id', '=', canisterId)
    .execute();
}
