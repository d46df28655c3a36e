import { execFileSync } from 'node:child_process';
import { mkdtemp, readdir, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Answer, ApiClient } from '../support/client.ts';
import { custom } from '../support/modules.ts';
import { NO_NETWORK } from '../support/server.ts';
import { type Program, startProduct } from '../support/server-process.ts';

/** The database dies, or the disk takes no more, under a server that goes on. */

let dataDir: string;
let product: Program;
let ada: ApiClient;

beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'cannery-storage-'));
  product = await startProduct({ DATA_DIR: dataDir, IC_URL: NO_NETWORK, RATE_LIMIT: '1000' });
  ada = await ApiClient.signIn(product.url, 'ada');
});
afterAll(async () => {
  await product.kill('SIGTERM');
  await rm(dataDir, { recursive: true, force: true });
});

/** Process id of the database's server, as its lock file has it. */
function postmaster(): number {
  return Number(execFileSync('head', ['-n1', join(dataDir, 'postgres', 'postmaster.pid')]).toString());
}

const WRITERS = 6;
const MODULE = Buffer.from('0061736d01000000', 'hex');
/** A module that nobody has uploaded, of a number of bytes. */
const moduleOf = (name: string, bytes = 0): Buffer =>
  Buffer.concat([MODULE, custom(name, Buffer.alloc(bytes))]);

function expectTyped({ status, body }: Answer, code: string, expected: number): void {
  expect([status, body.code], JSON.stringify(body)).toEqual([expected, code]);
  expect(body.next_step).toMatch(/\.$/);
}

test('a database that is killed under load comes back, and has all that was acknowledged', async () => {
  const kept: string[] = [];
  const refused: Answer[] = [];
  let over = false;
  const writer = async (name: number): Promise<void> => {
    for (let count = 0; !over; count += 1) {
      const answer = await ada.post('/repository/tokens', { label: `w${name}-${count}` });
      if (answer.status === 200) kept.push(`w${name}-${count}`);
      else refused.push(answer);
    }
  };
  const writers = Array.from({ length: WRITERS }, (_, index) => writer(index));
  for (const _death of [1, 2]) {
    const before = kept.length;
    await expect.poll(() => kept.length).toBeGreaterThan(before + 10);
    const killed = postmaster();
    process.kill(killed, 'SIGKILL');
    const atDeath = kept.length;
    await expect.poll(() => kept.length).toBeGreaterThan(atDeath + WRITERS + 10);
    expect(postmaster()).not.toBe(killed);
  }
  over = true;
  await Promise.all(writers);
  expect(refused.length).toBeGreaterThan(0);
  const log = product.output.filter((line) => line.includes('unexpectedly'));
  expect(log, 'errors the server did not expect').toEqual([]);
  for (const answer of refused) expectTyped(answer, 'database_unavailable', 503);
  const names = (await ada.list('/repository/tokens')).map(({ label }) => label);
  expect(kept.filter((name) => !names.includes(name))).toEqual([]);
}, 120_000);

// A limit for the size of files refuses writes as a full disk does, without a disk to fill.
test.skipIf(process.platform !== 'linux')(
  'an upload the disk has no room for is refused with the next step, and leaves nothing behind',
  async () => {
    execFileSync('prlimit', ['--pid', String(product.child.pid), '--fsize=2000000:unlimited']);
    const blobs = join(dataDir, 'blobs');
    const before = await readdir(blobs, { recursive: true });
    expectTyped(await ada.upload('/document/upload', 'wasm', moduleOf('large', 6_000_000)), 'disk_full', 507);
    expect(await readdir(blobs, { recursive: true })).toEqual(before);
    expect((await ada.upload('/document/upload', 'wasm', moduleOf('small'))).status).toBe(200);
    execFileSync('prlimit', ['--pid', String(product.child.pid), '--fsize=unlimited:unlimited']);
    const { body } = await ada.upload('/document/upload', 'wasm', moduleOf('large', 6_000_000));
    const identifier = String(body.identifier);
    expect((await stat(join(blobs, identifier.slice(0, 2), identifier))).size).toBeGreaterThan(6_000_000);
  },
);
