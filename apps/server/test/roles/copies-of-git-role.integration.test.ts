import { createServer } from 'node:http';
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test, vi } from 'vitest';
import { openBucketObjects } from '../../src/blobs/bucket-objects.ts';
import { configOf } from '../../src/config/config.ts';
import { readEnv } from '../../src/config/env.ts';
import { Keyring } from '../../src/keyring/keyring.ts';
import { createLogger } from '../../src/log/logger.ts';
import { restoreCopies } from '../../src/repository-copies/restore-copies.ts';
import { openRepositories } from '../../src/roles/repositories.ts';
import { startS3Service } from '../service/s3-service.ts';
import { createTestDatabase } from '../support/database.ts';

const TEMPLATE = fileURLToPath(new URL('../../../../examples/static-site', import.meta.url));

test('a git role copies the folder that it has, and another machine takes its place with the same folder', async () => {
  await using ends = new AsyncDisposableStack();
  const folder = await mkdtemp(join(tmpdir(), 'cannery-copies-role-'));
  ends.defer(() => rm(folder, { recursive: true, force: true }));
  const database = await createTestDatabase();
  ends.defer(() => database.close());
  // What is brought back is of whoever the database has under that name.
  await database.newUser(0n);
  const ada = await database.db.selectFrom('users').select(['id', 'username']).executeTakeFirstOrThrow();
  const s3 = ends.use(await startS3Service());

  /** A git role on a machine, until the answer is disposed. */
  const roleOn = async (machine: string) => {
    const started = new AsyncDisposableStack();
    const config = configOf(
      readEnv({
        ...s3.settings,
        DATA_DIR: folder,
        REPOSITORIES_DIR: join(folder, machine),
        REPOSITORIES_BACKUP: 'on',
      }),
    );
    const { here, lease } = await openRepositories('leased', {
      config,
      addresses: { publicUrl: 'http://console' },
      db: database.db,
      log: createLogger({ logLevel: 'silent' }),
      keyring: await Keyring.open(config),
      url: `http://${machine}`,
      server: createServer(),
      started,
      signal: new AbortController().signal,
      onLost: () => undefined,
    });
    if (here === undefined || lease === undefined) throw new Error('It has no repositories.');
    return { here, lease, bucket: config.bucket, end: () => started.disposeAsync() };
  };

  const first = await roleOn('one');
  await first.here.addFromFolder(ada, 'notes', TEMPLATE);
  if (first.bucket === undefined) throw new Error('There is no bucket.');
  const objects = openBucketObjects(first.bucket);
  ends.defer(() => objects.close());
  const prefix = `repositories/${first.lease.folder}/manifests/`;
  await vi.waitFor(async () => expect(await Array.fromAsync(objects.list(prefix))).toHaveLength(1), 20_000);
  await first.end();
  await rm(join(folder, 'one'), { recursive: true });

  const root = join(folder, 'two');
  expect(await restoreCopies(objects, { root })).toMatchObject({ folder: first.lease.folder, restored: 1 });
  await writeFile(join(root, 'restore.unfinished'), '');
  await expect(roleOn('two')).rejects.toThrow(/was cut off\. Empty the folder/);
  await rm(join(root, 'restore.unfinished'));
  const second = await roleOn('two');
  ends.defer(() => second.end());
  expect(second.lease.folder).toBe(first.lease.folder);
  expect((await second.here.listRepositories(ada)).map(({ name }) => name)).toEqual(['notes']);
  expect(await readdir(join(root, ada.username))).toEqual(['notes.git']);
}, 60_000);
