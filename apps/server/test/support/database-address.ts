import { embeddedConnection } from '../../src/db/postgres/embedded-postgres.ts';
import type { TestDatabase } from './database.ts';

/** What `DATABASE_URL` is for a server that shares a test's database with others. */
export async function addressOf(database: TestDatabase): Promise<string> {
  const { host, user, password, database: name } = await embeddedConnection(database.folder);
  return `postgres://${user}:${encodeURIComponent(password)}@localhost/${name}?host=${encodeURIComponent(host)}`;
}
