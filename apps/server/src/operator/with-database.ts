import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { configOf } from '../config/config.ts';
import { readEnv } from '../config/env.ts';
import { isDataDirLocked, lockDataDir } from '../data-dir/data-lock.ts';
import { type Connection, openDatabase } from '../db/database.ts';
import { migrate } from '../db/migrate.ts';
import { embeddedConnection, startPostgres } from '../db/postgres/embedded-postgres.ts';
import type { Db } from '../db/tx.ts';
import { StartError } from '../errors.ts';

/** The database of a running server, or of one that is started for this alone. */
async function connect(
  databaseUrl: string | undefined,
  dataDir: string,
  started: AsyncDisposableStack,
): Promise<Connection> {
  if (databaseUrl !== undefined) return { connectionString: databaseUrl };
  if (!existsSync(join(dataDir, 'postgres'))) {
    throw new StartError(`There is no database in ${dataDir}. Set DATA_DIR to the folder of the server.`);
  }
  if (await isDataDirLocked(dataDir)) return embeddedConnection(dataDir);
  const lock = await lockDataDir(dataDir);
  started.defer(() => lock.release());
  const postgres = await startPostgres({ dataDir });
  started.defer(() => postgres.stop());
  return postgres.connection;
}

/**
 * Does something with the database that the environment names (DATA_DIR, DATABASE_URL), whether its server runs or not.
 *
 * @throws StartError where there is none
 */
export async function withDatabase<T>(work: (db: Db) => Promise<T>): Promise<T> {
  const { dataDir, databaseUrl } = configOf(readEnv(process.env));
  await using started = new AsyncDisposableStack();
  const db = openDatabase(await connect(databaseUrl, dataDir, started), 1);
  started.defer(() => db.destroy());
  await migrate(db);
  return await work(db);
}
