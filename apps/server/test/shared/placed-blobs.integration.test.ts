import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { cpSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { sql } from 'kysely';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { openPlacedBlobs, type PlacedBlobs } from '../../src/blobs/placed-blobs.ts';
import { configOf } from '../../src/config/config.ts';
import { type EnvInput, readEnv } from '../../src/config/env.ts';
import { createLogger } from '../../src/log/logger.ts';
import { startS3Service } from '../service/s3-service.ts';
import { addressOf, createTestDatabase, type TestDatabase } from '../support/database.ts';

const MOVE = fileURLToPath(new URL('move-program.ts', import.meta.url));
const log = createLogger({ logLevel: 'silent' });

let folder: string;
let database: TestDatabase;
let address: string;
const open: PlacedBlobs[] = [];
/** What the processes were told of folders that others have taken over. */
const lost: string[] = [];
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'cannery-placed-'));
  database = await createTestDatabase();
  address = addressOf(database);
});
afterEach(async () => {
  for (const blobs of open.splice(0)) await blobs.close();
  await database.close();
  rmSync(folder, { recursive: true, force: true });
});

async function start(dataDir: string, settings: EnvInput = { DATABASE_URL: address }): Promise<PlacedBlobs> {
  const config = configOf(readEnv({ ...settings, DATA_DIR: join(folder, dataDir) }));
  const blobs = await openPlacedBlobs({
    config,
    db: database.db,
    log,
    onLost: (reason) => lost.push(reason),
  });
  open.push(blobs);
  return blobs;
}

async function put(blobs: PlacedBlobs, content: Buffer): Promise<string> {
  const incoming = await blobs.receive([content]);
  await incoming.keep();
  return incoming.hash;
}

test('a folder is of one process: another folder is refused, and a copy while the first one lives', async () => {
  const first = await start('first');
  const hash = await put(first, Buffer.from('abc'));
  await expect(start('second')).rejects.toMatchObject({
    name: 'StartError',
    message: expect.stringMatching(
      /folder \S+first\/blobs of .*which only one process can use.*set BLOBS_S3_URL, /,
    ),
  });
  cpSync(join(folder, 'first'), join(folder, 'copy'), { recursive: true });
  await expect(start('copy')).rejects.toThrow('which only one process can use');
  // The same folder again, as after a crash: nobody waits.
  const again = performance.now();
  await start('first');
  expect(performance.now() - again).toBeLessThan(5000);
  for (const blobs of open.splice(0)) await blobs.close();
  expect((await (await start('copy')).get(hash)).toString()).toBe('abc');
});

test('a process whose folder another one has taken over is told once, so that it ends', async () => {
  await start('first');
  // As a copy of the folder does, once this process was not heard of for long.
  await sql`update blob_place set holder = 'copy', held_until = now() + interval '1 hour'`.execute(
    database.db,
  );
  await expect
    .poll(() => lost, { timeout: 30_000 })
    .toEqual(['Another process has taken over the folder of uploads of this database.']);
}, 60_000);

test('of several processes that start at once with different folders one starts', async () => {
  const outcomes = await Promise.allSettled(['a', 'b', 'c', 'd'].map((name) => start(name)));
  expect(outcomes.map(({ status }) => status).toSorted()).toEqual([
    'fulfilled',
    'rejected',
    'rejected',
    'rejected',
  ]);
});

test('of several processes that start at once with one bucket all start', async () => {
  await using service = await startS3Service();
  const settings = { ...service.settings, DATABASE_URL: address };
  const all = await Promise.all(['a', 'b', 'c', 'd'].map((name) => start(name, settings)));
  const [one, other] = all;
  if (one === undefined || other === undefined) throw new Error('All have started.');
  expect((await other.get(await put(one, Buffer.from('abc')))).toString()).toBe('abc');
});

test('with the embedded database a folder that was lost is begun once more, a bucket that was left out is not', async () => {
  await start('first', {});
  rmSync(join(folder, 'first'), { recursive: true });
  await start('first', {});
  await using service = await startS3Service();
  await start('first', service.settings);
  await expect(start('first', {})).rejects.toThrow('Set BLOBS_S3_URL, BLOBS_S3_BUCKET');
});

test('what lies in a folder is in the bucket after the first start with one, however often that is killed', async () => {
  const before = await start('first');
  const contents = Array.from({ length: 150 }, () => randomBytes(20_000));
  const hashes = await Promise.all(contents.map((content) => put(before, content)));
  for (const blobs of open.splice(0)) await blobs.close();
  // One that was damaged is left where it is.
  const damaged = hashes[0] ?? '';
  writeFileSync(join(folder, 'first/blobs', damaged.slice(0, 2), damaged), 'x');
  await using service = await startS3Service();
  const settings = { ...service.settings, DATABASE_URL: address };

  await expect(start('second', settings)).rejects.toThrow('start the one with that folder first');
  for (const share of [0.2, 0.6]) {
    const child = spawn(process.execPath, [MOVE], {
      env: { ...process.env, ...settings, DATA_DIR: join(folder, 'first') } as NodeJS.ProcessEnv,
      stdio: 'ignore',
    });
    while ((await service.names()).length < share * hashes.length && child.exitCode === null) await delay(5);
    child.kill('SIGKILL');
    await once(child, 'close');
    expect((await service.names()).length).toBeLessThan(hashes.length - 1);
  }
  // Nobody has been told that the bucket is the place.
  await expect(start('second', settings)).rejects.toThrow('start the one with that folder first');
  const first = await start('first', settings);
  const second = await start('second', settings);
  for (const [place, hash] of hashes.entries()) {
    if (hash === damaged) continue;
    expect(contents[place]?.equals(await (place % 2 === 0 ? first : second).get(hash)), hash).toBe(true);
  }
  await expect(start('first')).rejects.toThrow('Set BLOBS_S3_URL, BLOBS_S3_BUCKET');
});
