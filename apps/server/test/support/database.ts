import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openDatabase } from '../../src/db/database.ts';
import { embeddedConnection, startPostgres } from '../../src/db/postgres/embedded-postgres.ts';
import { migrate } from '../../src/db/migrate.ts';
import { type Db, type Tx, transactOn } from '../../src/db/tx.ts';
import { signInUser } from '../../src/features/user/sign-in-user.ts';
import { putEmptyDatabase } from './empty-database.ts';

export interface TestDatabase {
  /** Of the database. */
  readonly folder: string;
  readonly db: Db;
  readonly transact: <T>(work: (tx: Tx) => Promise<T>) => Promise<T>;
  /** A new user with an account; answers its id. */
  newUser(openingBalance: bigint): Promise<string>;
  close(): Promise<void>;
}

/** Its own real database, with the product's tables. */
export async function createTestDatabase(): Promise<TestDatabase> {
  const folder = await mkdtemp(join(tmpdir(), 'cannery-db-'));
  putEmptyDatabase(folder);
  const postgres = await startPostgres({ dataDir: folder });
  const db = openDatabase(postgres.connection);
  await migrate(db);
  const transact = transactOn(db);
  return {
    folder,
    db,
    transact,
    newUser: (openingBalance) => {
      const subject = `user-${randomUUID().slice(0, 8)}`;
      const nobody = { name: undefined, email: undefined, picture: undefined };
      return transact((tx) =>
        signInUser(tx, { issuer: 'test', subject, username: subject, ...nobody }, { openingBalance }),
      );
    },
    async close() {
      await db.destroy();
      await postgres.stop();
      await rm(folder, { recursive: true });
    },
  };
}

/** What `DATABASE_URL` is for a server that shares a test's database with others. */
export function addressOf(database: TestDatabase): string {
  const { host, user, password, database: name } = embeddedConnection(database.folder);
  return `postgres://${user}:${encodeURIComponent(password)}@localhost/${name}?host=${encodeURIComponent(host)}`;
}
