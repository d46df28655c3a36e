import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { openDatabase } from '../../src/db/database.ts';
import { startPostgres } from '../../src/db/postgres/embedded-postgres.ts';
import type { Db } from '../../src/db/tx.ts';
import { ApiClient } from '../support/client.ts';
import { type NetworkProxy, startNetworkProxy } from '../support/network-proxy.ts';
import { type Program, startNetworkProgram, startProduct } from '../support/server-process.ts';
import { deployTemplateSite } from '../support/template-site.ts';

// What only a network that forgets, or goes away, can show: a crash at each step is in crash-steps, many at once in
// ledger-load.
const T = 1_000_000_000_000n;
/** How long it takes until everything that was cut off is ended is measured by apps/server/crash/fault-points.ts. */
const RECOVERED = { interval: 200 };

let folder: string;
let network: Program;
let proxy: NetworkProxy;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'cannery-recovery-'));
  network = await startNetworkProgram(join(folder, 'network'));
  proxy = await startNetworkProxy(network.url);
});
afterAll(async () => {
  await proxy.close();
  await network.kill('SIGTERM');
  await rm(folder, { recursive: true, force: true });
});

let dataDir: string;
let product: Program;
let ada: ApiClient;
beforeEach(async () => {
  dataDir = await mkdtemp(join(folder, 'data-'));
  product = await start();
  ada = await ApiClient.signIn(product.url, 'ada');
});
afterEach(async () => {
  proxy.heal();
  await product.kill('SIGKILL');
});

const start = () => startProduct({ DATA_DIR: dataDir, IC_URL: proxy.url, OPENING_BALANCE_T: '60' });

async function restart(): Promise<void> {
  proxy.heal();
  product = await start();
  ada = new ApiClient(product.url, ada.token);
}

/** Makes a call during which the product is killed at the given moment. */
async function killedDuring(
  moment: 'before' | 'after',
  call: () => Promise<unknown>,
  skip = 0,
): Promise<void> {
  let killed: Promise<unknown> = Promise.resolve();
  const kill = (): void => {
    killed = product.kill('SIGKILL');
  };
  proxy.cutAt(moment, kill, skip);
  await expect(call()).rejects.toThrow();
  await killed;
}

/** Changes the database while the product is down. */
async function betweenRuns(change: (db: Db) => Promise<unknown>): Promise<void> {
  const postgres = await startPostgres({ dataDir });
  const db = openDatabase(postgres.connection);
  await change(db);
  await db.destroy();
  await postgres.stop();
}

const balance = async () => BigInt(String((await ada.get('/getInsights/')).body.balance_exact));
const bookings = async () => (await ada.list('/transactions/')).map((line) => line.transaction_name);
const cyclesOf = async (id: unknown) =>
  BigInt(String((await ada.get(`/canister/status/${id}/?real_time=true`)).body.cycles_exact));

describe('the product is killed while it creates a canister', () => {
  test('and stays down until the call has expired: the cycles are given back', async () => {
    await killedDuring('before', () => ada.create('Never'));
    await betweenRuns((db) =>
      db
        .updateTable('intents')
        .set({ request_expires_at: new Date(Date.now() - 600_000) })
        .execute(),
    );
    await restart();
    await expect.poll(balance, RECOVERED).toBe(60n * T);
    expect(await ada.list('/canister/list/')).toEqual([]);
    expect(await bookings()).toEqual(['CYCLE_DEPOSIT']);
  });
});

describe('the product is killed while it tops up a canister', () => {
  test.each([
    ['after', 'has arrived: it is booked', 53n],
    ['before', 'has not arrived: the cycles are given back', 58n],
  ] as const)(
    '%s the network has done it, and the network has forgotten the call: the balance shows that it %s',
    async (moment, _what, left) => {
      const id = await ada.create('Forgotten');
      await killedDuring(moment, () => ada.post('/canister/topup', { canister_id: id, amount: 5 }));
      await betweenRuns((db) =>
        db
          .updateTable('intents')
          .set({ request_id: '00'.repeat(32), request_expires_at: new Date(Date.now() - 600_000) })
          .execute(),
      );
      await restart();
      await expect.poll(() => bookingsAndHolds(), RECOVERED).toBe('ended');
      expect(await balance()).toBe(left * T);
      expect(await cyclesOf(id)).toBe((60n - left) * T);
    },
  );

  /** The held cycles are part of neither balance nor history, so both agree only when nothing is under way. */
  async function bookingsAndHolds(): Promise<string> {
    const [latest] = await ada.list('/transactions/');
    return BigInt(Number(latest?.balance_after)) === (await balance()) ? 'ended' : 'under way';
  }
});

describe('the product is killed while it deletes a canister', () => {
  const remove = (id: string) => () => ada.post('/canister/delete', { canister_id: id });
  /** The first call asks for the balance, the second deletes. */
  const AT_THE_DELETION = 1;

  async function stopped(): Promise<string> {
    const id = await ada.create('Doomed');
    await ada.post('/canister/stop', { canister_id: id });
    return id;
  }

  test.each([
    ['after', 'is gone: its cycles are credited', 404],
    ['before', 'is still there: it can be deleted again', 200],
  ] as const)(
    '%s the network has done it, and the network has forgotten the call: the canister %s',
    async (moment, _what, status) => {
      const id = await stopped();
      await killedDuring(moment, remove(id), AT_THE_DELETION);
      await betweenRuns((db) =>
        db
          .updateTable('intents')
          .set({ request_id: '00'.repeat(32), request_expires_at: new Date(Date.now() - 600_000) })
          .execute(),
      );
      await restart();
      await expect.poll(async () => (await remove(id)()).status, RECOVERED).toBe(status);
      expect(await ada.list('/canister/list/')).toEqual([]);
      expect(await balance()).toBe(60n * T);
      expect(await bookings()).toEqual(['CYCLE_DEPOSIT', 'CANISTER_CREATE', 'CYCLE_DEPOSIT']);
    },
  );
});

test('the product is killed while a deploy creates its canister: the run starts again and fills that one', async () => {
  const deploy = await deployTemplateSite(ada);
  let killed: Promise<unknown> | undefined;
  proxy.cutAt('after', () => {
    killed = product.kill('SIGKILL');
  });
  await ada.post(`${deploy}/trigger`, {});
  await expect.poll(() => killed, { timeout: 30_000 }).toBeDefined();
  await killed;
  await restart();
  await expect.poll(async () => (await ada.get(deploy)).body.status, { timeout: 45_000 }).toBe('COMPLETED');
  const [canister, ...more] = await ada.list('/canister/list/');
  expect(more).toEqual([]);
  expect((await ada.get(deploy)).body.canisters).toEqual([canister?.id]);
  expect(await balance()).toBe(58n * T);
}, 90_000);

describe('the answer of the network is lost while the product lives on', () => {
  test.each(['before', 'after'] as const)(
    '%s the network has the call: the caller still gets the result',
    async (moment) => {
      proxy.cutAt(moment, () => proxy.heal());
      const id = await ada.create('Retried');
      expect((await ada.list('/canister/list/')).map((canister) => canister.id)).toEqual([id]);
      expect(await balance()).toBe(58n * T);
      await ada.post('/canister/stop', { canister_id: id });
      proxy.cutAt(moment, () => proxy.heal(), 1);
      const { body } = await ada.post('/canister/delete', { canister_id: id });
      expect(body).toEqual({ message: 'Canister deleted.', deleted: true, refunded: String(2n * T) });
      expect(await balance()).toBe(60n * T);
    },
  );
});
