import { readdir, rm, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import pg from 'pg';
import { openBlobs } from '../blobs/open-blobs.ts';
import type { Config } from '../config/config.ts';
import { closeDataDir, UNFINISHED_RESTORE } from '../data-dir/close-data-dir.ts';
import { lockDataDir } from '../data-dir/data-lock.ts';
import { syncFolder } from '../data-dir/sync-folder.ts';
import { openDatabase } from '../db/database.ts';
import { migrate, migrationsOf, unknownStep } from '../db/migrate.ts';
import { startPostgres } from '../db/postgres/embedded-postgres.ts';
import { StartError } from '../errors.ts';
import { settleOwners, usersOf } from '../git/remote/settle-owners.ts';
import { openKeys } from './keys.ts';
import { loadTables } from './load-database.ts';
import { checkBackup, type Manifest } from './manifest.ts';
import { restoreNetwork } from './network-copy.ts';
import { restoreRepositories } from './repositories.ts';
import { restoreUploads } from './uploads.ts';

export interface RestoreOptions {
  readonly config: Config;
  readonly from: string;
  /** Opens the keys in the backup; without it they stay where they are. */
  readonly passphrase: string | undefined;
}

/**
 * Makes an empty data folder, and an empty database, what they were when the backup was taken. Every byte of the backup is checked
 * before anything is written. A restore that was cut off leaves a mark, with which no server starts.
 * @throws StartError with a sentence for the operator
 */
export async function restoreBackup(
  options: RestoreOptions,
): Promise<{ manifest: Manifest; keys: string[]; renamed: readonly string[] }> {
  const { config, passphrase } = options;
  const { dataDir, repositoriesDir } = config;
  const folder = resolve(options.from);
  const manifest = await checkBackup(folder);
  const unknown = unknownStep(manifest.migrations);
  if (unknown !== undefined) {
    throw new StartError(
      `A newer version of Cannery made this backup (its database has the step ${unknown}). Restore it with that version.`,
    );
  }
  closeDataDir(dataDir);
  const there = (await readdir(dataDir)).find((name) => name !== 'lost+found');
  if (there !== undefined)
    throw new StartError(`${dataDir} is not empty: it has ${there}. A restore needs an empty data folder.`);
  await requireNoRepositories(repositoriesDir);
  closeDataDir(repositoriesDir, 'REPOSITORIES_DIR');
  const lock = await lockDataDir(dataDir);
  try {
    const mark = join(dataDir, UNFINISHED_RESTORE);
    await writeFile(mark, `${folder}\n`, { flag: 'wx', mode: 0o600, flush: true });
    await syncFolder(dataDir);
    const keys = passphrase === undefined ? [] : await openKeys(folder, dataDir, passphrase);
    const users = await restoreDatabase(config, folder, manifest);
    const [, renamed] = await Promise.all([
      manifest.network === 'copied'
        ? restoreNetwork(join(folder, 'network'), join(dataDir, 'network'))
        : undefined,
      restoreRepositories(folder, repositoriesDir),
      openBlobs(config).then((store) => restoreUploads(store, folder)),
    ]);
    // Whoever signs up after the restore is not the owner of what is brought back.
    await settleOwners(repositoriesDir, async () => users);
    await rm(mark);
    await syncFolder(dataDir);
    return { manifest, keys, renamed };
  } finally {
    lock.release();
  }
}

/** The folder of the repositories may be elsewhere than in the data folder. @throws StartError where it has something */
async function requireNoRepositories(root: string): Promise<void> {
  const names = await readdir(root).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return [];
    throw error;
  });
  const first = names.find((name) => name !== 'lost+found');
  if (first !== undefined)
    throw new StartError(`${root} is not empty: it has ${first}. A restore needs an empty REPOSITORIES_DIR.`);
}

/** @returns the users of the database */
async function restoreDatabase(
  config: Config,
  folder: string,
  manifest: Manifest,
): ReturnType<typeof usersOf> {
  await using started = new AsyncDisposableStack();
  const connection =
    config.databaseUrl === undefined
      ? await startPostgres(config).then((postgres) => {
          started.defer(() => postgres.stop());
          return postgres.connection;
        })
      : { connectionString: config.databaseUrl };
  const db = openDatabase(connection, 1);
  started.defer(() => db.destroy());
  if ((await migrationsOf(db)).length > 0)
    throw new StartError(
      'The database at DATABASE_URL has tables of Cannery. A restore needs an empty database.',
    );
  await migrate(db, manifest.migrations.at(-1));
  const client = new pg.Client({ ...connection, application_name: 'cannery-restore' });
  await client.connect();
  started.defer(() => client.end());
  await loadTables(client, folder, manifest);
  return await usersOf(db);
}
