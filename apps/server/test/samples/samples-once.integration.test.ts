import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { embeddedConnection } from '../../src/db/postgres/embedded-postgres.ts';
import { readSamples, sampleModule } from '../../src/builders/motoko/samples.ts';
import type { RunningServer } from '../../src/start-server.ts';
import { ApiClient } from '../support/client.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';
import { type S3Service, startS3Service } from '../service/s3-service.ts';
import { NO_NETWORK, startTestServer } from '../support/server.ts';

// Two servers share one database, so that nothing that is kept in one process is of help.
let folder: string;
let database: TestDatabase;
let storage: S3Service;
let rows: pg.Client;
let first: RunningServer;
let second: RunningServer;
let ada: ApiClient;
let bob: ApiClient;
beforeAll(async () => {
  // What the servers find compiled then, so that no test waits for it.
  const poll = (await readSamples()).find(({ name }) => name === 'Poll');
  for (const version of poll?.versions ?? []) {
    if (poll !== undefined) await sampleModule(poll, version, AbortSignal.timeout(170_000));
  }
  folder = await mkdtemp(join(tmpdir(), 'cannery-samples-'));
  database = await createTestDatabase();
  storage = await startS3Service();
  const connection = await embeddedConnection(database.folder);
  const { host, user, password, database: name } = connection;
  const address = `postgres://${user}:${encodeURIComponent(password)}@localhost/${name}?host=${encodeURIComponent(host)}`;
  const common = { ...storage.settings, DATABASE_URL: address, IC_URL: NO_NETWORK, WORKER: 'off' } as const;
  first = await startTestServer({ ...common, DATA_DIR: join(folder, 'first') });
  second = await startTestServer({ ...common, DATA_DIR: join(folder, 'second') });
  ada = await ApiClient.signIn(first.url, 'ada');
  bob = await ApiClient.signIn(second.url, 'bob');
  rows = new pg.Client(connection);
  await rows.connect();
});
afterAll(async () => {
  await rows.end();
  for (const server of [second, first]) await server.close();
  await database.close();
  await storage[Symbol.asyncDispose]();
  await rm(folder, { recursive: true, force: true });
});

const offer = (client: ApiClient) => client.post('/marketplace/samples', { sample: 'Poll' });

/** `npm run seed` with one sample, at the first server. */
async function seed(): Promise<string> {
  const script = fileURLToPath(new URL('../../../../packages/dev-env/src/seed.ts', import.meta.url));
  const args = [script, '--url', first.url, '--user', 'seeder', '--sample', 'Poll'];
  const { stdout } = await promisify(execFile)(process.execPath, args);
  return stdout.trim().split('/').at(-1) ?? '';
}

/** How many wait to write a dapp. */
async function waiting(): Promise<unknown> {
  const { rows: found } = await rows.query(
    `select count(*)::int as many from pg_locks where relation = 'dapps'::regclass and not granted`,
  );
  return found[0].many;
}

test('a sample is in the marketplace once, whoever offers it at the same moment', async () => {
  // Nobody can write a dapp until all have seen that there is none: the looks before the writing are of no help.
  await rows.query('begin');
  await rows.query('lock table dapps in share mode');
  const asked = Promise.all([offer(ada), offer(bob), seed()]);
  try {
    // One at each server, which compiles one at a time.
    await expect.poll(waiting, { timeout: 120_000 }).toBe(2);
  } finally {
    await rows.query('commit');
  }
  const [byAda, byBob, seeded] = await asked;
  expect([byAda.status, byBob.status], byBob.body.error).toEqual([200, 200]);
  expect(byBob.body.data).toBe(byAda.body.data);
  expect(seeded).toBe(byAda.body.data);
  const listed = await ada.list('/marketplace/');
  expect(listed.map(({ id, version }) => [id, version])).toEqual([[byAda.body.data, '1.1.0']]);
  const versions = await bob.list(`/marketplace/versions/${String(byAda.body.data)}`);
  expect(versions.map(({ version }) => version)).toEqual(['1.1.0', '1.0.0']);
});

test('a sample that was deleted, or changed into a dapp of its publisher, can be offered again', async () => {
  const { body } = await offer(bob);
  const id = String(body.data);
  const [owner] = (await ada.list('/marketplace/')).map(
    ({ user }) => (user as { username: string }).username,
  );
  const publisher = await ApiClient.signIn(first.url, String(owner));
  await publisher.post(`/marketplace/update/${id}`, { description: 'Mine now' });
  const again = String((await offer(bob)).body.data);
  expect(again).not.toBe(id);
  expect((await ada.list('/marketplace/')).map(({ id: one }) => one)).toEqual([again, id]);
  await bob.post(`/marketplace/delete/${again}`, undefined);
  const third = String((await offer(ada)).body.data);
  expect((await ada.list('/marketplace/')).map(({ id: one }) => one)).toEqual([third, id]);
});
