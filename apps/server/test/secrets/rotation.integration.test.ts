import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { openVariables, placeOfVariable, saveVariables } from '../../src/features/deploy/store/variables.ts';
import { insertDeploy } from '../../src/features/deploy/store/store.ts';
import { keysIn, newKey, replaceKeys, textOfKeys } from '../../src/keyring/key-file.ts';
import { Keyring, markOfKey } from '../../src/keyring/keyring.ts';
import { createSealing, headerOf, sealBy } from '../../src/keyring/sealed-texts.ts';
import { SEALED_TABLES } from '../../src/operator/rotate/sealed-rows.ts';
import {
  openRotation,
  prepareKey,
  retireKeys,
  rotateKey,
  type Step,
} from '../../src/operator/rotate/rotation.ts';
import { sealingOf } from '../../src/sealing.ts';
import type { RunningServer } from '../../src/start-server.ts';
import { anyDeploy } from '../support/any-deploy.ts';
import { ApiClient } from '../support/client.ts';
import { addressOf, createTestDatabase, type TestDatabase } from '../support/database.ts';
import { NO_NETWORK, startTestServer } from '../support/server.ts';
import { openWire } from '../support/wire.ts';
import { type S3Service, startS3Service } from '../service/s3-service.ts';
import { pushTo } from '../webhooks/hook-deliveries.ts';

const COMMAND = fileURLToPath(new URL('../../src/operator/rotate-secrets-key.ts', import.meta.url));

let folder: string;
let path: string;
let database: TestDatabase;
let storage: S3Service;
let userId: string;
let deployId: string;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'cannery-rotation-'));
  path = join(folder, 'secrets.key');
  database = await createTestDatabase();
  storage = await startS3Service();
  userId = await database.newUser(1n);
});
afterAll(async () => {
  await storage[Symbol.asyncDispose]();
  await database.close();
  rmSync(folder, { recursive: true, force: true });
});
beforeEach(async () => {
  writeFileSync(path, textOfKeys({ current: newKey(), next: undefined, old: [] }), { mode: 0o600 });
  await database.db.deleteFrom('deployment_marks').execute();
  await database.db.deleteFrom('deploys').execute();
  deployId = await database.transact((tx) => insertDeploy(tx, anyDeploy(userId)));
});

const keysNow = () => {
  const keys = keysIn(readFileSync(path, 'utf8'));
  if (keys === undefined) throw new Error('The file has no keys.');
  return keys;
};
const open = () => Keyring.open({ dataDir: '/nowhere', secretsKeyFile: path });
const rotation = (reached?: (step: Step) => void | Promise<void>) =>
  openRotation(database.db, { dataDir: '/nowhere', secretsKeyFile: path }, reached);

/** Secrets as an earlier version has sealed them, or as this one does. */
async function putSecrets(count: number, key: Buffer, seal = sealBy): Promise<void> {
  const rows = Array.from({ length: count }, (_, at) => {
    const name = `SECRET_${at}`;
    return {
      deploy_id: deployId,
      name,
      value: null,
      sealed: seal(key, `value of ${at}`, placeOfVariable(deployId, name)),
    };
  });
  await database.db.insertInto('deploy_variables').values(rows).execute();
}
const asBefore = (key: Buffer, text: string, place: string) => sealingOf(key).seal(text, place);

/** How many secrets are sealed with the key; all have to open. */
async function sealedWith(key: Buffer, count: number): Promise<number> {
  const context = { db: database.db, sealing: createSealing(await open()) };
  const { values } = await openVariables(context, deployId);
  expect(values).toEqual(
    new Map(Array.from({ length: count }, (_, at) => [`SECRET_${at}`, `value of ${at}`] as const)),
  );
  const rows = await database.db.selectFrom('deploy_variables').select('sealed').execute();
  return rows.filter(({ sealed }) => sealed?.subarray(0, 12).equals(headerOf(key))).length;
}

const environment = () => ({
  ...process.env,
  DATABASE_URL: addressOf(database),
  SECRETS_KEY_FILE: path,
  SECURITY_LOG: 'off',
});
const command = (...args: string[]): ChildProcess =>
  spawn(process.execPath, [COMMAND, ...args], { env: environment() });
async function run(...args: string[]): Promise<{ code: number | null; output: string }> {
  const child = command(...args);
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream?.on('data', (piece) => (output += String(piece)));
  await once(child, 'close');
  return { code: child.exitCode, output };
}

test('every column of the database with sealed texts is in the list of what is sealed again', async () => {
  const { rows } = await sql<{ table_name: string }>`select table_name from information_schema.columns
    where table_schema = current_schema() and column_name like '%sealed%' and data_type = 'bytea'`.execute(
    database.db,
  );
  expect(rows.map((row) => row.table_name).toSorted()).toEqual(
    SEALED_TABLES.map(({ name }) => name).toSorted(),
  );
});

test('the command makes a new key beside the old, seals again what an earlier version sealed, and retires', async () => {
  const { current: former } = keysNow();
  await putSecrets(120, former, asBefore);
  expect(await run()).toEqual({
    code: 0,
    output:
      'Secrets that are sealed with the new key: 120. The former key still opens; --retire takes it away.\n',
  });
  const { current, next, old } = keysNow();
  expect([next, old]).toEqual([undefined, [former]]);
  expect(current.equals(former)).toBe(false);
  expect(await sealedWith(current, 120)).toBe(120);
  const { output } = await run('--retire');
  expect(output).toContain('Keys that are taken out of the file: 1.');
  expect(keysNow()).toEqual({ current, next: undefined, old: [] });
  expect(await sealedWith(current, 120)).toBe(120);
  // Another one begins with that key.
  expect((await run()).code).toBe(0);
  expect(keysNow().old).toEqual([current]);
}, 60_000);

test.each(['prepared', 'switched', 'promoted', 'sealed'] as const)(
  'what ends where it is %s opens everything as it is, and is finished by the next run with the same key',
  async (last) => {
    const { current: former } = keysNow();
    await putSecrets(120, former);
    const cutOff = await rotation((step) => {
      if (step === last) throw new Error('cut off');
    });
    await expect(rotateKey(cutOff)).rejects.toThrow('cut off');
    const { current, next } = keysNow();
    const made = next ?? current;
    expect(await sealedWith(made, 120)).toBe(last === 'sealed' ? 50 : 0);
    const retiring = retireKeys(await rotation());
    if (last === 'prepared') expect(await retiring).toBe(0);
    else await expect(retiring).rejects.toThrow('Old keys are still needed');
    expect(await sealedWith(made, 120)).toBe(last === 'sealed' ? 50 : 0);
    expect(await rotateKey(await rotation())).toEqual({ sealed: last === 'sealed' ? 70 : 120, lost: 0 });
    expect(keysNow()).toEqual({ current: made, next: undefined, old: [former] });
    expect(await sealedWith(made, 120)).toBe(120);
    expect(await retireKeys(await rotation())).toBe(1);
  },
);

test('a command that is killed in the middle has lost nothing, and goes on', async () => {
  const { current: former } = keysNow();
  await putSecrets(3_000, former);
  const child = command();
  const ended = once(child, 'close');
  await expect
    .poll(
      async () => {
        const { next, current } = keysNow();
        if (next !== undefined || current.equals(former)) return 0;
        const rows = await database.db
          .selectFrom('deploy_variables')
          .select('name')
          .where(sql<boolean>`substring(sealed from 1 for 12) = ${headerOf(current)}`)
          .limit(1)
          .execute();
        return rows.length;
      },
      { timeout: 30_000, interval: 5 },
    )
    .toBeGreaterThan(0);
  child.kill('SIGKILL');
  await ended;
  const { current } = keysNow();
  const before = await sealedWith(current, 3_000);
  expect(before).toBeLessThan(3_000);
  expect((await run()).output).toContain(`sealed with the new key: ${3_000 - before}.`);
  expect(keysNow()).toEqual({ current, next: undefined, old: [former] });
  expect(await sealedWith(current, 3_000)).toBe(3_000);
}, 60_000);

test('whoever writes secrets meanwhile seals with the new key, and keeps what was sealed again', async () => {
  const { current: former } = keysNow();
  await putSecrets(120, former);
  const sealing = createSealing(await open());
  const kept = Array.from({ length: 120 }, (_, at) => ({ name: `SECRET_${at}`, secret: true }));
  let writes: Promise<unknown> = Promise.resolve();
  await rotateKey(
    await rotation((step) => {
      // One after the other, as the lock of the deploy has it; the rotation goes on beside them.
      if (step === 'sealed' || step === 'switched')
        writes = writes.then(() => database.transact((tx) => saveVariables({ sealing }, tx, deployId, kept)));
    }),
  );
  await writes;
  const { current } = keysNow();
  expect(await sealedWith(current, 120)).toBe(120);
  await database.transact((tx) =>
    saveVariables({ sealing }, tx, deployId, [{ name: 'SECRET_0', value: 'value of 0', secret: true }]),
  );
  expect(await sealedWith(current, 1)).toBe(1);
});

test('retiring waits for who is about to write what an old key has sealed', async () => {
  const { current: former } = keysNow();
  const sealing = createSealing(await open());
  await rotateKey(await rotation());
  const { promise: go, resolve } = Promise.withResolvers<void>();
  const { promise: begun, resolve: hasBegun } = Promise.withResolvers<void>();
  const writing = database.transact(async (tx) => {
    await sealing.sealer(tx);
    hasBegun();
    await go;
    // As a process that has begun before the rotation could.
    const place = placeOfVariable(deployId, 'SECRET_0');
    const sealed = sealBy(former, 'value of 0', place);
    await tx
      .insertInto('deploy_variables')
      .values({ deploy_id: deployId, name: 'SECRET_0', value: null, sealed })
      .execute();
  });
  await begun;
  const retiring = retireKeys(await rotation());
  const outcome = expect(retiring).rejects.toThrow('Old keys are still needed (deploy_variables)');
  const waiting = sql`select pid from pg_locks where locktype = 'advisory' and not granted`;
  try {
    await expect.poll(async () => (await waiting.execute(database.db)).rows.length).toBe(1);
  } finally {
    resolve();
  }
  await writing;
  await outcome;
  expect(keysNow().old).toEqual([former]);
});

test('a process without the key that seals keeps no secret, and a file of another database changes nothing', async () => {
  await putSecrets(3, keysNow().current);
  const copy = join(folder, 'copy.key');
  writeFileSync(copy, readFileSync(path));
  const stale = createSealing(await Keyring.open({ dataDir: '/nowhere', secretsKeyFile: copy }));
  await rotateKey(await rotation());
  const write = (sealing: typeof stale) =>
    database.transact((tx) =>
      saveVariables({ sealing }, tx, deployId, [{ name: 'SECRET_0', value: 'value of 0', secret: true }]),
    );
  await expect(write(stale)).rejects.toMatchObject({ code: 'storage_unavailable' });
  await replaceKeys(copy, keysNow());
  await write(stale);
  expect(await sealedWith(keysNow().current, 1)).toBe(1);

  const other = join(folder, 'other.key');
  writeFileSync(other, textOfKeys({ current: newKey(), next: undefined, old: [] }));
  const wrong = openRotation(database.db, { dataDir: '/nowhere', secretsKeyFile: other });
  await expect(wrong).rejects.toThrow(`No key of ${other} opens any secret of this database.`);
});

test('two servers go on while the key is rotated, prepared or not, and after the former one is gone', async () => {
  const { current: former } = keysNow();
  const common = {
    ...storage.settings,
    DATABASE_URL: addressOf(database),
    SECRETS_KEY_FILE: path,
    IC_URL: NO_NETWORK,
    WORKER: 'off',
  } as const;
  const servers: RunningServer[] = [];
  for (const name of ['first', 'second'])
    servers.push(await startTestServer({ ...common, DATA_DIR: join(folder, name) }));
  const [first, second] = servers;
  if (first === undefined || second === undefined) throw new Error('There are two.');
  try {
    const ada = await ApiClient.signIn(first.url, 'ada');
    const { id } = (await ada.get('/user/profile')).body;
    await database.db
      .updateTable('deploys')
      .set({ user_id: String(id), repo_url: 'https://git.example/flour/mill', is_public: true })
      .execute();
    const renew = async (server: RunningServer) => {
      const { status, body } = await new ApiClient(server.url, ada.token).post(
        `/deploy/${deployId}/hook`,
        {},
      );
      expect(status, String(body.error)).toBe(200);
      return { address: String(body.address), secret: String(body.secret) };
    };
    const delivered = async (server: RunningServer, hook: { address: string; secret: string }) => {
      const wire = openWire(server.url);
      try {
        return (await wire.send(pushTo(hook, 'GitHub'))).status;
      } finally {
        wire.close();
      }
    };
    const everywhere = async (hook: { address: string; secret: string }) => {
      for (const server of servers) expect(await delivered(server, hook)).toBe(200);
      expect(await delivered(first, { ...hook, secret: 'another' })).not.toBe(200);
    };
    const headers = async () =>
      (await database.db.selectFrom('deploy_hooks').select('sealed').execute()).map(({ sealed }) =>
        sealed.subarray(0, 12),
      );

    let hook = await renew(first);
    expect(await headers()).toEqual([headerOf(former)]);
    await everywhere(hook);
    await prepareKey(await rotation());
    await everywhere(hook);
    const prepared = keysNow().next;
    expect((await run()).code).toBe(0);
    const { current } = keysNow();
    expect(current).toEqual(prepared);
    expect(await headers()).toEqual([headerOf(current)]);
    await everywhere(hook);
    // Who seals now, seals with it.
    for (const server of servers) {
      hook = await renew(server);
      expect(await headers()).toEqual([headerOf(current)]);
      await everywhere(hook);
    }
    expect((await run('--retire')).output).toContain('Keys that are taken out of the file: 1.');
    await everywhere(hook);
    hook = await renew(second);
    await everywhere(hook);
    const mark = await database.db
      .selectFrom('deployment_marks')
      .select('value')
      .where('name', '=', 'secrets-key')
      .executeTakeFirst();
    expect(mark?.value).toBe(markOfKey(current));
  } finally {
    for (const server of servers.toReversed()) await server.close();
  }
}, 90_000);
