import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { AppContext } from '../../src/context.ts';
import { openDatabase } from '../../src/db/database.ts';
import { migrate } from '../../src/db/migrate.ts';
import { type EmbeddedPostgres, startPostgres } from '../../src/db/postgres/embedded-postgres.ts';
import { type Db, transactOn } from '../../src/db/tx.ts';
import {
  claimInstance,
  findInstance,
  insertInstance,
  type RunRow,
} from '../../src/features/deploy/store/run-store.ts';
import { insertDeploy } from '../../src/features/deploy/store/store.ts';
import { waitingOf } from '../../src/features/deploy/store/queue.ts';
import { signInUser } from '../../src/features/user/sign-in-user.ts';
import { anyDeploy } from '../support/any-deploy.ts';

/** Runs that a user may have open here. */
const MANY = 100;

let folder: string;
let postgres: EmbeddedPostgres;
let db: Db;
let transact: ReturnType<typeof transactOn>;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'cannery-turns-'));
  postgres = await startPostgres({ dataDir: folder });
  db = openDatabase(postgres.connection);
  await migrate(db);
  transact = transactOn(db);
}, 120_000);

afterAll(async () => {
  await db?.destroy();
  await postgres?.stop();
  rmSync(folder, { recursive: true, force: true });
});

test('runs that build and runs that only publish have each their own turns, and count only their kind', async () => {
  const nobody = { name: undefined, email: undefined, picture: undefined };
  const owners = await Promise.all(
    ['kim', 'lou'].map((name) =>
      transact((tx) =>
        signInUser(tx, { issuer: 'test', subject: name, username: name, ...nobody }, { openingBalance: 1n }),
      ),
    ),
  );
  const [kim = '', lou = ''] = owners;
  const trigger = async (owner: string, source?: RunRow): Promise<RunRow> =>
    transact(async (tx) => {
      const deployId = await insertDeploy(tx, anyDeploy(owner));
      const run = {
        deployId,
        userId: owner,
        triggerBy: source === undefined ? 'MANUAL' : 'ROLLBACK',
        source,
      };
      return findInstance(tx, owner, deployId, (await insertInstance(tx, run, MANY)).id);
    });
  const [, build] = [await trigger(kim), await trigger(kim)];
  const ctx = { db, config: { build: { runsOfUser: 2 } } } as AppContext;
  const before = await waitingOf(ctx, build);
  for (let count = 0; count < 9; count += 1) {
    const back = await trigger(lou, build);
    // It starts at once, and must not take the turns of those who wait for a build.
    await transact((tx) => claimInstance(tx, back.id));
  }
  expect(await waitingOf(ctx, build)).toEqual(before);
  const newcomer = await trigger(lou);
  expect(newcomer.turn).toBeLessThan(build.turn);
  const [mine, theirs] = [await trigger(lou, build), await trigger(kim, build)];
  expect(await waitingOf(ctx, mine)).toEqual({ reason: 'user', ahead: 9 });
  expect(await waitingOf(ctx, theirs)).toMatchObject({ reason: 'line' });
});
