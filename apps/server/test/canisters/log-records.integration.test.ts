import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  findLogRecords,
  keepLogRecords,
  nextLogIndex,
} from '../../src/features/canister/logs/log-records.ts';
import { insertCanister } from '../../src/features/canister/core/store.ts';
import type { NetworkLogRecord } from '../../src/ic/replies/canister-logs.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';

const ID = 'rrkah-fqaaa-aaaaa-aaaaq-cai';

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
  const userId = await database.newUser(0n);
  const canister = { id: ID, userId, name: 'x', cycles: 0n, controllers: [] };
  await database.transact((tx) => insertCanister(tx, canister));
});
afterAll(() => database.close());

function records(from: number, to: number): NetworkLogRecord[] {
  return Array.from({ length: to - from }, (_, offset) => ({
    index: BigInt(from + offset),
    timestampNanos: 1_700_000_000_123_456_789n,
    content: Buffer.from(`line ${from + offset}\0`),
  }));
}

const keep = (from: number, to: number) =>
  database.transact((tx) => keepLogRecords(tx, ID, records(from, to)));
const page = (limit: number) => findLogRecords(database.db, ID, { search: '', before: undefined, limit });

test('records are kept once, and of many only the newest 10,000', async () => {
  expect(await nextLogIndex(database.db, ID)).toBe(0n);
  await keep(0, 3);
  await keep(1, 5);
  expect((await page(10)).map(({ idx }) => idx)).toEqual([4, 3, 2, 1, 0]);
  expect((await page(1))[0]).toMatchObject({
    content: 'line 4\u2400',
    written_at: new Date(1_700_000_000_123),
  });
  await keep(5, 10_003);
  const kept = (await page(20_000)).map(({ idx }) => idx);
  expect([kept.length, kept[0], kept.at(-1)]).toEqual([10_000, 10_002, 3]);
  await keep(10_003, 25_000);
  expect((await page(20_000)).at(-1)?.idx).toBe(15_000);
  expect(await nextLogIndex(database.db, ID)).toBe(25_000n);
});

test('a canister that is gone keeps nothing', async () => {
  await database.transact((tx) => keepLogRecords(tx, 'aaaaa-aa', records(0, 1)));
  expect(await nextLogIndex(database.db, 'aaaaa-aa')).toBe(0n);
});
