import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { signInUser } from '../../src/features/user/sign-in-user.ts';
import { createEmbeddedGitHost } from '../../src/git/host/embedded-host.ts';
import { settleOwners, usersOf } from '../../src/git/remote/settle-owners.ts';
import type { GitUser } from '../../src/git/repository/git-host.ts';
import { leaveOwnerOpen } from '../../src/git/host/owner-mark.ts';
import { createRepository } from '../../src/git/repository/repository-folder.ts';
import { idOf } from '../../src/git/repository/repository-id.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';

let database: TestDatabase;
let folder: string;
let root: string;
beforeAll(async () => {
  database = await createTestDatabase();
  folder = mkdtempSync(join(tmpdir(), 'cannery-owners-'));
  root = join(folder, 'git');
}, 120_000);
afterAll(async () => {
  await database?.close();
  rmSync(folder, { recursive: true, force: true });
});

async function signUp(username: string): Promise<GitUser> {
  const nobody = { name: undefined, email: undefined, picture: undefined };
  const identity = { issuer: 'test', subject: username, username, ...nobody };
  const id = await database.transact((tx) => signInUser(tx, identity, { openingBalance: 0n }));
  return { id, username };
}

function newHost() {
  const mebibyte = 1024 * 1024;
  return createEmbeddedGitHost({
    dataDir: folder,
    publicUrl: () => 'http://console',
    limits: {
      repositories: 10,
      repositoryBytes: mebibyte,
      bytes: mebibyte,
      refs: 10,
      pushesPerMinute: 10,
    },
  });
}

/** A server is started. */
async function start() {
  await settleOwners(root, () => usersOf(database.db));
  return newHost();
}

test('who signs up with the name of a user whom the database does not know gets nothing of that user', async () => {
  const ada = await signUp('ada');
  await createRepository(root, 'ada', 'diary');
  // Carol is not in the database, which is older than the repositories.
  const { gitDir } = await createRepository(root, 'carol', 'diary');
  const id = await idOf(gitDir);
  let git = await start();
  const stranger = await signUp('Carol');
  for (const again of ['at once', 'after the next start']) {
    expect(await git.listRepositories(stranger), again).toEqual([]);
    expect(await git.find({ owner: 'carol', name: 'diary' }, stranger)).toBeNull();
    expect(await git.readable('carol', 'diary', stranger)).toBeNull();
    for (const asked of [
      { owner: 'carol', name: 'diary' },
      { owner: 'carol', name: 'diary', id },
    ])
      await expect(git.branches(asked, stranger)).rejects.toMatchObject({ code: 'repository_not_found' });
    // Neither is it taken for theirs by a push.
    await expect(git.create(stranger, 'diary')).rejects.toMatchObject({ code: 'already_exists' });
    expect(await git.listRepositories(ada)).toMatchObject([{ name: 'diary' }]);
    git = await start();
  }
});

test('what was brought back from copies is of the user who had the name then, and of nobody who came later', async () => {
  const bob = await signUp('bob');
  await createRepository(root, 'bob', 'notes');
  await leaveOwnerOpen(root, 'bob', new Date(Date.now() + 60_000));
  await createRepository(root, 'dave', 'notes');
  await leaveOwnerOpen(root, 'dave', new Date(Date.now() - 60_000));
  // He has signed up before the server that has the repositories is started.
  const dave = await signUp('dave');
  const git = await start();
  expect(await git.listRepositories(bob)).toMatchObject([{ name: 'notes' }]);
  expect(await git.listRepositories(dave)).toEqual([]);
});

test('a new user’s repositories are that user’s from the first one on', async () => {
  const git = await start();
  const eve = await signUp('eve');
  await git.create(eve, 'first');
  expect(await git.listRepositories(eve)).toMatchObject([{ name: 'first' }]);
  expect(await git.listRepositories({ id: 'another', username: 'eve' })).toMatchObject([]);
  expect(await (await start()).find({ owner: 'eve', name: 'first' }, { ...eve, id: 'another' })).toBeNull();
});
