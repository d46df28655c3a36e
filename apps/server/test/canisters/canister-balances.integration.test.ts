import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type CanisterAnswer, type CanisterBalances, canisterBalances } from '@cannery/contract';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { slotOf } from '../../src/features/canister/balance/balance-slots.ts';
import { claimDue, findBalances, keepBalances } from '../../src/features/canister/balance/balance-store.ts';
import { deleteCanisterRow, insertCanister } from '../../src/features/canister/core/store.ts';
import { ApiClient } from '../support/client.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';
import { type Program, startProduct } from '../support/server-process.ts';

const T = 1_000_000_000_000n;
const EMPTY_MODULE = Uint8Array.from([0x00, 0x61, 0x73, 0x6d, 0x01, 0x00, 0x00, 0x00]);

describe('the product', () => {
  let dataDir: string;
  let product: Program;
  let ada: ApiClient;
  const start = () => startProduct({ DATA_DIR: dataDir, OPENING_BALANCE_T: '60' });
  beforeAll(async () => {
    dataDir = await mkdtemp(join(tmpdir(), 'cannery-balances-'));
    product = await start();
    ada = await ApiClient.signIn(product.url, 'ada');
  });
  afterAll(async () => {
    await product.kill('SIGTERM');
    await rm(dataDir, { recursive: true, force: true });
  });

  async function balances(id: string, range = '24h'): Promise<CanisterBalances> {
    const { status, body } = await ada.get(`/canister/balances/${id}?range=${range}`);
    if (status !== 200) throw new Error(`balances: ${status} ${body.error}`);
    return canisterBalances.parse(body);
  }

  test('reads a new canister by itself, every action leaves a balance, and a restart forgets nothing', async () => {
    const id = await ada.create('Watched');
    await expect.poll(async () => (await balances(id)).samples.length).toBe(1);
    const [first] = (await balances(id)).samples;
    expect(first?.cycles).toBe((2n * T).toString());

    // What is read within five seconds shares a place.
    await expect.poll(() => slotOf(new Date())).toBeGreaterThan(slotOf(new Date(first?.at ?? '')));
    const { body } = await ada.post('/canister/topup', { canister_id: id, amount: 1.5 });
    const after = (body.canister as CanisterAnswer).cycles_exact;
    const { samples, top_ups } = await balances(id);
    expect(samples.map(({ cycles }) => cycles)).toEqual([first?.cycles, after]);
    // One moment: the chart marks no top-up after its newest balance.
    expect(top_ups).toEqual([{ at: samples[1]?.at, cycles: '1500000000000' }]);

    await product.kill('SIGKILL');
    product = await start();
    ada = new ApiClient(product.url, ada.token);
    for (const range of ['24h', '7d', '30d', '1y']) {
      expect((await balances(id, range)).samples.slice(0, 2)).toEqual(samples);
    }

    const identifier = await ada.uploadWasm(EMPTY_MODULE);
    await ada.post('/canister/install', { canister_id: id, identifier });
    const newest = (await balances(id)).samples.at(-1);
    expect(BigInt(newest?.cycles ?? '0')).toBeLessThan(BigInt(after ?? '0'));
  });

  test('refuses an unknown range', async () => {
    const id = await ada.create('Ranged');
    expect((await ada.get(`/canister/balances/${id}?range=2d`)).status).toBe(400);
  });

  test('[AUTH-16] balances of others are answered like those of no canister, and go with the canister', async () => {
    const id = await ada.create('Private');
    const bob = await ApiClient.signIn(product.url, 'bob');
    const foreign = await bob.get(`/canister/balances/${id}`);
    const absent = await bob.get('/canister/balances/ryjl3-tyaaa-aaaaa-aaaba-cai');
    expect([foreign.status, foreign.body]).toEqual([absent.status, absent.body]);
    expect(foreign.status).toBe(404);
    await ada.post('/canister/stop', { canister_id: id });
    await ada.post('/canister/delete', { canister_id: id });
    expect((await ada.get(`/canister/balances/${id}`)).status).toBe(404);
  });
});

describe('the store', () => {
  let database: TestDatabase;
  let userId: string;
  beforeAll(async () => {
    database = await createTestDatabase();
    userId = await database.newUser(0n);
    for (const id of ['one', 'two', 'three']) await insert(id);
  });
  afterAll(() => database.close());

  const insert = (id: string) =>
    database.transact((tx) => insertCanister(tx, { id, userId, name: id, cycles: 0n, controllers: [] }));
  const keep = (id: string, at: string, cycles: bigint) =>
    database.transact((tx) => keepBalances(tx, new Map([[id, { cycles, takenAt: new Date(at) }]])));
  const kept = async (id: string) =>
    (await findBalances(database.db, id, new Date(0))).map(({ cycles }) => cycles);
  const claim = (since: Date, most: number) =>
    database.transact(async (tx) => (await claimDue(tx, { since, most })).map(({ id }) => id).toSorted());

  test('turns are taken once, by those never looked at first, and come again', async () => {
    const longAgo = new Date(0);
    const [first, second] = await Promise.all([claim(longAgo, 2), claim(longAgo, 2)]);
    expect([...first, ...second].toSorted()).toEqual(['one', 'three', 'two']);
    expect(await claim(longAgo, 9)).toEqual([]);
    expect(await claim(new Date(Date.now() + 1000), 9)).toEqual(['one', 'three', 'two']);
  });

  test('of a place the newest balance stays, and a new hour thins out', async () => {
    const day = '2026-03-15';
    await keep('one', `${day}T10:00:00.000Z`, 10n);
    await keep('one', `${day}T10:00:02.000Z`, 9n);
    await keep('one', `${day}T10:00:01.000Z`, 11n);
    expect(await kept('one')).toEqual([9n]);
    await keep('one', `${day}T10:01:00.000Z`, 8n);
    await keep('one', `${day}T10:55:00.000Z`, 7n);
    expect(await kept('one')).toEqual([9n, 8n, 7n]);
    // More than an hour later the first two are two of five minutes, of which the newer stays.
    await keep('one', `${day}T11:30:00.000Z`, 6n);
    expect(await kept('one')).toEqual([8n, 7n, 6n]);
    await keep('one', '2027-04-15T00:00:00.000Z', 5n);
    expect(await kept('one')).toEqual([5n]);
  });

  test('a canister that is gone keeps nothing', async () => {
    await keep('two', '2026-03-15T10:00:00.000Z', 1n);
    await database.transact((tx) => deleteCanisterRow(tx, { id: 'two', userId }));
    await keep('two', '2026-03-15T11:00:00.000Z', 1n);
    expect(await kept('two')).toEqual([]);
  });
});
