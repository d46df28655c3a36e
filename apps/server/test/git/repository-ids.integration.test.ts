import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { recordRepositories } from '../../src/features/repository/change-repository.ts';
import { type EmbeddedGitHost, createEmbeddedGitHost } from '../../src/git/host/embedded-host.ts';
import { idOf } from '../../src/git/repository/repository-id.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';

const PUBLIC_URL = 'http://console.test';

let folder: string;
let database: TestDatabase;
let git: EmbeddedGitHost;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'cannery-ids-'));
  database = await createTestDatabase();
  const limits = { repositories: 100, repositoryBytes: 1e9, bytes: 1e9, pushesPerMinute: 60, refs: 1000 };
  git = createEmbeddedGitHost({ dataDir: folder, publicUrl: () => PUBLIC_URL, limits });
});
afterAll(async () => {
  await database.close();
  await rm(folder, { recursive: true, force: true });
});

test('an id stays, and of many that give one at once all get the same', async () => {
  const { gitDir } = await git.create({ id: 'x', username: 'ids' }, 'one');
  const first = await idOf(gitDir);
  expect(first).toMatch(/^[0-9a-f-]{36}$/);
  await rm(join(gitDir, 'cannery-id'));
  const given = await Promise.all(Array.from({ length: 20 }, () => idOf(gitDir)));
  expect(new Set(given).size).toBe(1);
  expect(given[0]).not.toBe(first);
  expect((await readdir(gitDir)).filter((name) => name.startsWith('cannery-id'))).toEqual(['cannery-id']);
  await rm(gitDir, { recursive: true });
  await expect(idOf(gitDir)).rejects.toMatchObject({ code: 'ENOENT' });
});

test('deploys of before are recorded once: by name and letters as then, those without a repository as deleted', async () => {
  const owner = await database.newUser(0n);
  const { username } = await database.db
    .selectFrom('users')
    .select('username')
    .where('id', '=', owner)
    .executeTakeFirstOrThrow();
  const user = { id: owner, username };
  const { gitDir, owner: segment } = await git.create(user, 'shop');
  const id = await idOf(gitDir);
  const insert = async (name: string, more: object): Promise<string> => {
    const values = {
      id: name,
      user_id: owner,
      name,
      type: 'MOTOKO' as const,
      branch: 'main',
      is_public: false,
    };
    await database.transact((tx) =>
      tx
        .insertInto('deploys')
        .values({
          ...values,
          repo_owner: segment,
          repo_name: 'SHOP',
          repo_url: null,
          settings: '{}',
          ...more,
        })
        .execute(),
    );
    return name;
  };
  await insert('by-name', {});
  await insert('by-address', { repo_url: `${PUBLIC_URL}/${segment}/shop` });
  await insert('gone', { repo_name: 'gone' });
  await insert('of-somebody', { repo_owner: 'somebody' });
  await insert('at-github', { github_repository_id: 7 });
  await insert('outside', { repo_url: 'https://github.com/a/shop' });
  const recorded = async () =>
    database.db
      .selectFrom('deploys')
      .select(['id', 'repository_id', 'repository_deleted as deleted', 'repo_url as url'])
      .where('user_id', '=', owner)
      .orderBy('id')
      .execute();
  const record = () =>
    recordRepositories({
      db: database.db,
      transact: database.transact,
      git,
      addresses: { publicUrl: PUBLIC_URL },
    });
  await record();
  const rows = [
    { id: 'at-github', repository_id: null, deleted: false, url: null },
    { id: 'by-address', repository_id: id, deleted: false, url: null },
    { id: 'by-name', repository_id: id, deleted: false, url: null },
    { id: 'gone', repository_id: null, deleted: true, url: null },
    { id: 'of-somebody', repository_id: null, deleted: true, url: null },
    { id: 'outside', repository_id: null, deleted: false, url: 'https://github.com/a/shop' },
  ];
  expect(await recorded()).toEqual(rows);
  // One that comes under the name later is not taken for it, at a later start either.
  await git.create(user, 'gone');
  await record();
  expect(await recorded()).toEqual(rows);
});
