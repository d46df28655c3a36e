import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { restoreBackup } from '../../src/backup/restore-backup.ts';
import { takeBackup } from '../../src/backup/take-backup.ts';
import { configOf } from '../../src/config/config.ts';
import { readEnv } from '../../src/config/env.ts';
import { idsOfFolder } from '../../src/git/remote/git-lease.ts';
import { createRepository, repositoriesOf } from '../../src/git/repository/repository-folder.ts';
import { addressOf, createTestDatabase, type TestDatabase } from '../support/database.ts';

let database: TestDatabase;
let folder: string;
beforeAll(async () => {
  database = await createTestDatabase();
  folder = mkdtempSync(join(tmpdir(), 'cannery-elsewhere-'));
}, 120_000);
afterAll(async () => {
  await database?.close();
  rmSync(folder, { recursive: true, force: true });
});

/** Settings of a server whose repositories are not in its data folder. */
const configIn = (name: string, more: Record<string, string> = {}) =>
  configOf(
    readEnv({
      DATA_DIR: join(folder, name, 'data'),
      REPOSITORIES_DIR: join(folder, name, 'repositories'),
      IC_URL: 'http://127.0.0.1:1',
      ...more,
    }),
  );

test('repositories are backed up where they are, and come back where they are to be', async () => {
  const config = configIn('first', { DATABASE_URL: addressOf(database) });
  const { repositoriesDir: root, dataDir } = config;
  mkdirSync(dataDir, { recursive: true });
  const ada = await database.newUser(0n);
  const { username } = await database.db
    .selectFrom('users')
    .select('username')
    .where('id', '=', ada)
    .executeTakeFirstOrThrow();
  await createRepository(root, username, 'shop');
  // Whom the database does not know.
  await createRepository(root, 'carol', 'diary');
  // One who is at another git role.
  const { folder: here } = await idsOfFolder(root, dataDir);
  const bob = await database.newUser(0n);
  for (const [id, user] of [
    [here, ada],
    ['another', bob],
  ] as const) {
    const lease = { holder: id, url: `http://${id}`, lease_until: new Date() };
    await database.db
      .insertInto('git_folders')
      .values({ id, ...lease })
      .execute();
    await database.db.insertInto('repository_homes').values({ user_id: user, folder_id: id }).execute();
  }

  const to = join(folder, 'backup');
  const options = { config, passphrase: undefined, withBucket: false, settings: {} };
  const { manifest, elsewhere } = await takeBackup({ ...options, to });
  expect([manifest.repositories, elsewhere]).toEqual([2, 1]);

  const second = configIn('second');
  mkdirSync(join(second.repositoriesDir, 'ada'), { recursive: true });
  const restore = () => restoreBackup({ config: second, from: to, passphrase: undefined });
  await expect(restore()).rejects.toThrow('A restore needs an empty REPOSITORIES_DIR');
  rmSync(second.repositoriesDir, { recursive: true });
  expect((await restore()).renamed).toEqual([]);
  expect(existsSync(join(second.dataDir, 'git'))).toBe(false);
  const [found] = await repositoriesOf(second.repositoriesDir, username);
  expect(found?.name).toBe('shop');
  const ownerOf = (name: string) =>
    readFileSync(join(second.repositoriesDir, '.cannery-owners', name), 'utf8');
  expect([ownerOf(username), ownerOf('carol')]).toEqual([ada, 'nobody']);
}, 240_000);
