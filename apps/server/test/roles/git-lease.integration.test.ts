import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { sql } from 'kysely';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { homeOf } from '../../src/git/remote/homes.ts';
import { adoptOwners, type GitLease, idsOfFolder, takeFolder } from '../../src/git/remote/git-lease.ts';
import { createLogger } from '../../src/log/logger.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';

let database: TestDatabase;
let folder: string;
const leases: GitLease[] = [];

beforeAll(async () => {
  database = await createTestDatabase();
  folder = mkdtempSync(join(tmpdir(), 'cannery-lease-'));
});
afterEach(async () => {
  for (const lease of leases.splice(0)) await lease.release();
});
afterAll(async () => {
  await database.close();
  rmSync(folder, { recursive: true, force: true });
});

interface Told {
  lease: GitLease;
  waited: string[];
  lost: () => number;
}

/** A git role of a name, on a folder of repositories. */
async function role(name: string, root: string): Promise<Told> {
  const dataDir = join(folder, name);
  mkdirSync(dataDir, { recursive: true });
  const waited: string[] = [];
  let lost = 0;
  const lease = await takeFolder({
    db: database.db,
    log: createLogger({ logLevel: 'silent' }),
    ...(await idsOfFolder(join(folder, root), dataDir)),
    url: `http://${name}`,
    signal: AbortSignal.timeout(30_000),
    onWait: (url) => waited.push(url),
    onFence: () => undefined,
    onLost: () => {
      lost += 1;
    },
  });
  leases.push(lease);
  return { lease, waited, lost: () => lost };
}

/** As if the time of a lease had gone by at the database. */
const end = ({ folder: id }: GitLease) =>
  database.db
    .updateTable('git_folders')
    .set({ lease_until: sql`now() - interval '1 second'` })
    .where('id', '=', id)
    .execute();

test('a folder belongs to one process, which another one follows when it is not heard of, and then knows', async () => {
  const first = await role('one', 'shared');
  const ada = await database.newUser(0n);
  expect(await homeOf(database.db, ada)).toEqual({ folder: first.lease.folder, url: 'http://one' });
  // The same process again, after a kill, has it at once.
  const again = await role('one', 'shared');
  expect(again.waited).toEqual([]);
  const waiting = role('two', 'shared');
  await delay(1_500);
  expect(first.lease.holds()).toBe(true);
  await end(first.lease);
  await expect(homeOf(database.db, ada)).rejects.toMatchObject({ code: 'repository_busy' });
  const second = await waiting;
  expect(second.waited).toEqual(['http://one']);
  expect(await homeOf(database.db, ada)).toEqual({ folder: first.lease.folder, url: 'http://two' });
  await expect.poll(() => first.lease.holds(), { timeout: 5_000 }).toBe(false);
  expect(first.lost()).toBe(1);
  expect(second.lease.holds()).toBe(true);
}, 20_000);

test('who goes in good order leaves the folder to the next one at once', async () => {
  const first = await role('three', 'left');
  const waiting = role('four', 'left');
  await delay(200);
  await first.lease.release();
  expect(first.lease.holds()).toBe(false);
  expect((await waiting).lease.holds()).toBe(true);
});

test('users stay with the folder that has their repositories, and new ones go to one that is served', async () => {
  const mine = await role('five', 'mine');
  const other = await role('six', 'other');
  const bob = await database.newUser(0n);
  const { username } = await database.db
    .selectFrom('users')
    .select('username')
    .where('id', '=', bob)
    .executeTakeFirstOrThrow();
  await adoptOwners(database.db, mine.lease.folder, [username.toUpperCase(), '.cannery-folder', '..']);
  await adoptOwners(database.db, other.lease.folder, [username]);
  expect(await homeOf(database.db, bob)).toEqual({ folder: mine.lease.folder, url: 'http://five' });
  await mine.lease.release();
  await expect(homeOf(database.db, bob)).rejects.toMatchObject({ code: 'repository_busy' });
  const eve = await database.newUser(0n);
  expect(await homeOf(database.db, eve)).toEqual({ folder: other.lease.folder, url: 'http://six' });
  await other.lease.release();
  const zoe = await database.newUser(0n);
  await expect(homeOf(database.db, zoe)).rejects.toMatchObject({
    code: 'repository_busy',
    retryAfterSeconds: 2,
  });
});

test('a folder whose process has died is taken over also where the clock of the database was put back meanwhile', async () => {
  const { folder: id } = await idsOfFolder(join(folder, 'put-back'), folder);
  const lease_until = sql<Date>`now() + interval '2 hours'`;
  await database.db
    .insertInto('git_folders')
    .values({ id, holder: 'gone', url: 'http://gone', lease_until })
    .execute();
  const start = performance.now();
  const { waited } = await role('follower', 'put-back');
  expect(waited).toEqual(['http://gone']);
  // Not before whoever has it would have been heard of.
  expect(performance.now() - start).toBeGreaterThan(14_000);
}, 40_000);
