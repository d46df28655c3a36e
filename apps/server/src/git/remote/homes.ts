import { sql } from 'kysely';
import type { Db } from '../../db/tx.ts';
import { AppError } from '../../errors.ts';

/** Where the repositories of a user are: a folder, and the process that serves it now. */
export interface Home {
  readonly folder: string;
  /** Without '/' at its end. */
  readonly url: string;
}

/** Seconds after which a process of the role `git` has been started again or another one has taken over, as a rule. */
const AGAIN_S = 2;

/** No process serves the repositories of a user at the moment; what was asked for may have been done. */
export class RepositoriesAwayError extends AppError {
  constructor(cause?: unknown) {
    super(
      'repository_busy',
      'Your repositories cannot be reached at the moment. The server that keeps them is being started again, or another one takes over.',
      { retryAfterSeconds: AGAIN_S, ...(cause === undefined ? {} : { cause }) },
    );
  }
}

/**
 * Where the repositories of a user are. Who has none yet gets a folder that is served now, any of them.
 * @throws AppError repository_busy while nobody serves that folder
 */
export async function homeOf(db: Db, userId: string): Promise<Home> {
  const home = (await findHome(db, userId)) ?? (await giveHome(db, userId));
  if (home === undefined || !home.served) throw new RepositoriesAwayError();
  return { folder: home.folder, url: home.url };
}

async function findHome(db: Db, userId: string): Promise<(Home & { served: boolean }) | undefined> {
  return db
    .selectFrom('repository_homes')
    .innerJoin('git_folders', 'git_folders.id', 'repository_homes.folder_id')
    .select(['git_folders.id as folder', 'git_folders.url', sql<boolean>`lease_until > now()`.as('served')])
    .where('user_id', '=', userId)
    .executeTakeFirst();
}

async function giveHome(db: Db, userId: string): Promise<(Home & { served: boolean }) | undefined> {
  await db
    .insertInto('repository_homes')
    .columns(['user_id', 'folder_id'])
    .expression((builder) =>
      builder
        .selectFrom('git_folders')
        .select([sql<string>`${userId}`.as('user_id'), 'id'])
        .where(sql<boolean>`lease_until > now()`)
        .orderBy(sql`random()`)
        .limit(1),
    )
    .onConflict((conflict) => conflict.doNothing())
    .execute();
  return findHome(db, userId);
}
