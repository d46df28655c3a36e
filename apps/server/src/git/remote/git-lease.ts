import { randomUUID } from 'node:crypto';
import { mkdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { sql } from 'kysely';
import { makeOnce } from '../../data-dir/make-once.ts';
import type { Db } from '../../db/tx.ts';
import type { Logger } from '../../log/logger.ts';
import { isOwnerSegment, ownerOf } from '../repository/names.ts';

/** How long a folder stays with a process that is not heard of, in seconds by the clock of the database. */
const LEASE_S = 15;
/** How often a process says that it is there, in milliseconds. */
const RENEW_MS = 3_000;
/** From then on a process that could not say so does nothing more, in milliseconds by its clock: before another one may begin. */
const FENCE_MS = 11_000;
/** How often a process that waits for a folder looks, in milliseconds. */
const WAIT_MS = 1_000;

const ID_FILE = '.cannery-folder';
const HOLDER_FILE = 'git-holder.id';

/** A folder of repositories that is this process's. */
export interface GitLease {
  readonly folder: string;
  /** Whether it still is. While the database is away this turns to false before anybody else may take the folder. */
  holds(): boolean;
  /** Gives the folder back, so that another process has it at once. */
  release(): Promise<void>;
}

/** An id that is made once and kept in a file. */
async function keptId(file: string): Promise<string> {
  await makeOnce(file, randomUUID());
  return (await readFile(file, 'utf8')).trim();
}

/** The id of a folder of repositories, which is written in it, and of the process, in its data folder, which it has alone. */
export async function idsOfFolder(
  root: string,
  dataDir: string,
): Promise<{ folder: string; holder: string }> {
  await mkdir(root, { recursive: true, mode: 0o700 });
  return {
    folder: await keptId(join(root, ID_FILE)),
    holder: await keptId(join(dataDir, HOLDER_FILE)),
  };
}

/** The id of a folder of repositories that a git role has served; undefined for any other. */
export async function folderIdIfThere(root: string): Promise<string | undefined> {
  return readFile(join(root, ID_FILE), 'utf8').then(
    (text) => text.trim(),
    () => undefined,
  );
}

/**
 * Takes a folder of repositories for this process, when nobody else has it; waits while another one has.
 * @param options.url address of this process for other roles
 * @param options.onWait told once that another process has the folder
 * @param options.onFence told when another process may take the folder, since this one could not be heard of
 * @param options.onLost told once when another process has it
 * @throws the reason of the signal
 */
export async function takeFolder(options: {
  db: Db;
  log: Logger;
  folder: string;
  holder: string;
  url: string;
  signal: AbortSignal;
  onWait: (url: string) => void;
  onFence: () => void;
  onLost: () => void;
}): Promise<GitLease> {
  const { db, log, folder, holder, url } = options;
  let waits = false;
  let renewedAt = performance.now();
  let seen = { until: '', at: renewedAt };
  while (!(await take(db, { folder, holder, url, silentSince: silent(seen) }))) {
    const { url: theirs, until } = await leaseOf(db, folder);
    if (until !== seen.until) seen = { until, at: performance.now() };
    if (!waits) options.onWait(theirs);
    waits = true;
    await delay(WAIT_MS, undefined, { signal: options.signal });
    renewedAt = performance.now();
  }
  let isTaken = false;
  let isFenced = false;
  const holds = (): boolean => !isTaken && performance.now() - renewedAt < FENCE_MS;
  const timer = setInterval(() => {
    const askedAt = performance.now();
    renew(db, folder, holder).then(
      (isMine) => {
        if (isMine) renewedAt = Math.max(renewedAt, askedAt);
        else if (!isTaken) {
          isTaken = true;
          options.onLost();
        }
      },
      (error: unknown) => log.warn({ err: error }, 'the folder of repositories could not be kept'),
    );
    if (!holds() && !isFenced) options.onFence();
    isFenced = !holds();
  }, RENEW_MS);
  timer.unref();
  return {
    folder,
    holds,
    async release() {
      clearInterval(timer);
      isTaken = true;
      await db
        .updateTable('git_folders')
        .set({ lease_until: sql`now()` })
        .where('id', '=', folder)
        .where('holder', '=', holder)
        .execute()
        .catch((error: unknown) => log.warn({ err: error }, 'the folder of repositories ends by itself'));
    },
  };
}

const UNTIL = sql<Date>`now() + make_interval(secs => ${sql.lit(LEASE_S)})`;

/**
 * The end of a lease that has stayed as it is for as long as one lasts: nobody renews it. That its end lies ahead says nothing where the clock
 * of the database was put back since.
 */
function silent(seen: { readonly until: string; readonly at: number }): string | null {
  return performance.now() - seen.at >= LEASE_S * 1000 ? seen.until : null;
}

async function take(
  db: Db,
  mine: { folder: string; holder: string; url: string; silentSince: string | null },
): Promise<boolean> {
  const { folder: id, holder, url, silentSince } = mine;
  const taken = await db
    .insertInto('git_folders')
    .values({ id, holder, url, lease_until: UNTIL })
    .onConflict((conflict) =>
      conflict
        .column('id')
        .doUpdateSet({ holder, url, lease_until: UNTIL })
        .where((where) =>
          where.or([
            where('git_folders.holder', '=', holder),
            sql<boolean>`git_folders.lease_until < now()`,
            sql<boolean>`git_folders.lease_until::text = ${silentSince}`,
          ]),
        ),
    )
    .returning('id')
    .executeTakeFirst();
  return taken !== undefined;
}

/** Who has a folder, and until when, as the database writes it. */
async function leaseOf(db: Db, folder: string): Promise<{ url: string; until: string }> {
  const row = await db
    .selectFrom('git_folders')
    .select(['url', sql<string>`lease_until::text`.as('until')])
    .where('id', '=', folder)
    .executeTakeFirst();
  return row ?? { url: '', until: '' };
}

/** Only a lease that has not ended is renewed by whoever has it: one that was taken over is another's. */
async function renew(db: Db, folder: string, holder: string): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('git_folders')
    .set({ lease_until: UNTIL })
    .where('id', '=', folder)
    .where('holder', '=', holder)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

/**
 * Gives users whose repositories already lie in a folder that folder as their home, such as those of a product that was one
 * process before.
 * @param owners names of the folders of owners
 */
export async function adoptOwners(db: Db, folder: string, owners: readonly string[]): Promise<void> {
  const here = new Set(owners.filter(isOwnerSegment).map((owner) => owner.toLowerCase()));
  if (here.size === 0) return;
  const users = await db
    .selectFrom('users')
    .select(['users.id', 'users.username'])
    .where(({ not, exists, selectFrom }) =>
      not(exists(selectFrom('repository_homes').select('user_id').whereRef('user_id', '=', 'users.id'))),
    )
    .execute();
  const mine = users.filter((user) => here.has(ownerOf(user).toLowerCase()));
  for (const { id } of mine)
    await db
      .insertInto('repository_homes')
      .values({ user_id: id, folder_id: folder })
      .onConflict((conflict) => conflict.doNothing())
      .execute();
}
