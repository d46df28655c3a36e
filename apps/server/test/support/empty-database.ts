import { chmodSync, constants, cpSync, existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { openDatabase } from '../../src/db/database.ts';
import { startPostgres } from '../../src/db/postgres/embedded-postgres.ts';
import { migrate } from '../../src/db/migrate.ts';

/** Setting by which the test run tells its processes where the database to copy is. */
const SETTING = 'EMPTY_TEST_DATABASE';
/** Folder of the embedded database within a data folder. */
const CLUSTER = 'postgres';

/**
 * Creates a database with all tables for tests to begin with, since creating takes a second of CPU and copying a tenth of it. Called by
 * Vitest before the tests of a run; answers what to call behind them.
 */
export default async function makeEmptyDatabase(): Promise<() => void> {
  const dataDir = mkdtempSync(path.join(tmpdir(), 'cannery-empty-'));
  const postgres = await startPostgres({ dataDir });
  const db = openDatabase(postgres.connection, 1);
  await migrate(db);
  await db.destroy();
  await postgres.stop();
  process.env[SETTING] = dataDir;
  return () => rmSync(dataDir, { recursive: true });
}

/** Gives a data folder the database that a first start would make in it, where the folder is there and has none. */
export function putEmptyDatabase(dataDir: string): void {
  const source = process.env[SETTING];
  const target = path.join(dataDir, CLUSTER);
  if (source === undefined || !existsSync(dataDir) || existsSync(target)) return;
  cpSync(path.join(source, CLUSTER), target, { recursive: true, mode: constants.COPYFILE_FICLONE });
  // Postgres refuses a folder that others may read.
  chmodSync(target, 0o700);
}
