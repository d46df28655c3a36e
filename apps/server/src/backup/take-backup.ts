import { existsSync } from 'node:fs';
import { mkdir, rename, rm } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import pg from 'pg';
import { openBlobs } from '../blobs/open-blobs.ts';
import type { Config } from '../config/config.ts';
import { isDataDirLocked, lockDataDir } from '../data-dir/data-lock.ts';
import { syncFolder } from '../data-dir/sync-folder.ts';
import { type Connection, openDatabase } from '../db/database.ts';
import { migrationsOf, unknownStep } from '../db/migrate.ts';
import { embeddedConnection, startPostgres } from '../db/postgres/embedded-postgres.ts';
import { StartError } from '../errors.ts';
import { folderIdIfThere } from '../git/remote/git-lease.ts';
import { type HeldPayments, holdPayments } from '../jobs/payment-fence.ts';
import { isThere } from './backup-files.ts';
import { beginSnapshot, dumpTables, sequencesOf } from './dump-database.ts';
import { sealKeys } from './keys.ts';
import { type Manifest, removeUnfinished, writeManifest } from './manifest.ts';
import { beginNetworkCopy } from './network-copy.ts';
import { copyRepositories } from './repositories.ts';
import { copyUploads, keepUploads, uploadsOf } from './uploads.ts';

export interface BackupOptions {
  readonly config: Config;
  /** A folder that is not there yet. */
  readonly to: string;
  /** Seals the keys into the backup; without it they stay out. */
  readonly passphrase: string | undefined;
  /** Whether content of a bucket is copied as well. */
  readonly withBucket: boolean;
  /** Settings that were given, for the operator who sets up another machine. */
  readonly settings: Manifest['settings'];
}

/** The database of a running server, or of one that is started for this alone. */
async function reach(
  { databaseUrl, dataDir }: Config,
  started: AsyncDisposableStack,
): Promise<{ connection: Connection; mayRun: boolean }> {
  if (databaseUrl !== undefined) return { connection: { connectionString: databaseUrl }, mayRun: true };
  if (!existsSync(join(dataDir, 'postgres')))
    throw new StartError(`There is no database in ${dataDir}. Set DATA_DIR to the folder of the server.`);
  if (await isDataDirLocked(dataDir)) return { connection: embeddedConnection(dataDir), mayRun: true };
  const lock = await lockDataDir(dataDir);
  started.defer(() => lock.release());
  const postgres = await startPostgres({ dataDir });
  started.defer(() => postgres.stop());
  return { connection: postgres.connection, mayRun: false };
}

/** Users whose repositories are in the folder of a git role other than this one. */
async function homesElsewhere(client: pg.Client, root: string): Promise<number> {
  const { rows } = await client.query<{ users: number }>(
    'select count(*)::int as users from repository_homes where folder_id <> $1',
    [(await folderIdIfThere(root)) ?? ''],
  );
  return rows[0]?.users ?? 0;
}

/**
 * Copies everything that must survive, while the server runs or not. Books and network are of one moment, for which payments
 * stand still (decision 0136); uploads are those that the database knew at that moment; repositories are copied after it, each whole. The
 * folder appears under its name only when it is complete and on the disk.
 * @returns also how many users have their repositories in other folders, which are not in it
 * @throws StartError with a sentence for the operator
 */
export async function takeBackup(options: BackupOptions): Promise<{ manifest: Manifest; elsewhere: number }> {
  const { config, passphrase, withBucket, settings } = options;
  const target = resolve(options.to);
  if (await isThere(target)) throw new StartError(`${target} is there already. Name a new folder.`);
  await mkdir(dirname(target), { recursive: true, mode: 0o700 });
  const folder = join(dirname(target), `.${basename(target)}.unfinished`);
  await removeUnfinished(folder);
  await using started = new AsyncDisposableStack();
  const { connection, mayRun } = await reach(config, started);
  const client = async (): Promise<pg.Client> => {
    const opened = new pg.Client({ ...connection, application_name: 'cannery-backup' });
    // A query that fails says the same.
    opened.on('error', () => undefined);
    await opened.connect();
    started.defer(() => opened.end());
    return opened;
  };
  const db = openDatabase(connection, 1);
  started.defer(() => db.destroy());
  const migrations = await migrationsOf(db);
  const unknown = unknownStep(migrations);
  if (unknown !== undefined || migrations.length === 0)
    throw new StartError(
      'The database is not one of this version of Cannery. Back it up with the version that made it.',
    );
  await mkdir(folder, { mode: 0o700 });
  try {
    const [keeping, dumping, holding] = [await client(), await client(), await client()];
    await keepUploads(keeping);
    const network =
      config.icUrl === undefined
        ? await beginNetworkCopy(join(config.dataDir, 'network'), join(folder, 'network'))
        : undefined;
    const held: HeldPayments | undefined = mayRun ? await holdPayments(holding) : undefined;
    const takenAt = new Date().toISOString();
    let heldMs: number | null = null;
    try {
      await beginSnapshot(dumping);
      await network?.take();
    } finally {
      heldMs = (await held?.release()) ?? null;
    }
    const hashes = await uploadsOf(dumping);
    const elsewhere = await homesElsewhere(dumping, config.repositoriesDir);
    const drafts = join(folder, 'incoming');
    const isCopied = config.bucket === undefined || withBucket;
    const [rows, repositories] = await Promise.all([
      dumpTables(dumping, folder),
      copyRepositories(config.repositoriesDir, folder),
      openBlobs(config, drafts).then((store) => copyUploads(store, hashes, { folder, isCopied })),
      network?.done,
    ]);
    await rm(drafts, { recursive: true });
    if (passphrase !== undefined) await sealKeys(config, folder, passphrase);
    const manifest = await writeManifest(folder, {
      takenAt,
      heldMs,
      openPayments: rows['intents'] ?? 0,
      migrations,
      rows,
      sequences: await sequencesOf(dumping),
      repositories,
      uploads: isCopied ? 'copied' : 'in the bucket',
      network: network === undefined ? 'elsewhere' : 'copied',
      hasKeys: passphrase !== undefined,
      settings,
    });
    await syncFolder(folder);
    await rename(folder, target);
    await syncFolder(dirname(target));
    return { manifest, elsewhere };
  } catch (error) {
    await removeUnfinished(folder);
    throw error;
  }
}
