import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../../../../test/support/database.ts';
import { findBalances, keepBalances } from '../balance/balance-store.ts';
import { listChanges } from './changes.ts';
import {
  type CanisterState,
  insertCanister,
  keptState,
  listCanisters,
  saveSeenState,
  saveSeenStates,
} from './store.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.close());

async function newCanisters(userId: string, prefix: string, count: number): Promise<string[]> {
  const ids = Array.from({ length: count }, (_, number) => `${prefix}-${String(number).padStart(3, '0')}`);
  for (const id of ids)
    await database.transact((tx) =>
      insertCanister(tx, { id, userId, name: id, cycles: 1n, controllers: ['server'] }),
    );
  return ids;
}

const state = (cycles: bigint, others: Partial<CanisterState> = {}): CanisterState => ({
  status: 'running',
  cycles,
  moduleHash: null,
  controllers: ['server'],
  freezing: { need: 2n ** 70n, perDay: 3n },
  ...others,
});

test('what the network says of many canisters is kept of each, and of those of nobody else', async () => {
  const [ada, bob] = [await database.newUser(1n), await database.newUser(1n)];
  const [first = '', second = '', third = ''] = await newCanisters(ada, 'ada', 3);
  const [others = ''] = await newCanisters(bob, 'bob', 1);
  const unknown = state(5n, { cycles: null, controllers: null, freezing: null });
  const seen = new Map([
    [first, state(2n ** 80n, { status: 'stopped', moduleHash: 'ab', controllers: ['a', 'b"{}\\'] })],
    [second, unknown],
    [others, state(9n)],
  ]);
  const askedAt = new Date();
  await database.transact((tx) => saveSeenStates(tx, ada, seen, askedAt));
  const rows = new Map((await listCanisters(database.db, ada)).map((row) => [row.id, row]));
  const kept = (id: string): CanisterState | undefined => {
    const row = rows.get(id);
    return row && keptState(row);
  };
  expect(kept(first)).toEqual(seen.get(first));
  expect(kept(second)).toEqual(unknown);
  expect(rows.get(first)).toMatchObject({ refreshed_at: askedAt, updated_at: null });
  expect(rows.get(third)).toMatchObject({ refreshed_at: null, cycles: 1n });
  expect((await listCanisters(database.db, bob))[0]).toMatchObject({ cycles: 1n, refreshed_at: null });
  expect((await listChanges(database.db, first)).map(({ kind }) => kind)).toContain('outside');
  expect(await listChanges(database.db, second)).toEqual([]);

  await database.transact((tx) =>
    saveSeenState(tx, { id: first, userId: ada }, state(1n), new Date(askedAt.getTime() - 1)),
  );
  const [again] = (await listCanisters(database.db, ada)).filter(({ id }) => id === first);
  expect(again && keptState(again), 'what was asked earlier is not newer').toEqual(seen.get(first));
});

test('two processes that refresh one list, each in its order, never wait for each other', async () => {
  const ada = await database.newUser(1n);
  const ids = await newCanisters(ada, 'both', 40);
  const begun = Date.now();
  for (let round = 1; round <= 20; round += 1) {
    const save = (order: readonly string[], askedAt: number) =>
      database.transact((tx) =>
        saveSeenStates(tx, ada, new Map(order.map((id) => [id, state(BigInt(round))])), new Date(askedAt)),
      );
    const at = begun + round * 10;
    await Promise.all([save(ids, at), save(ids.toReversed(), at + 1)]);
  }
  expect((await listCanisters(database.db, ada)).map(({ cycles }) => cycles)).toEqual(ids.map(() => 20n));
});

test('balances that are kept while a list is refreshed lock the canisters in the same order', async () => {
  const ada = await database.newUser(1n);
  const ids = await newCanisters(ada, 'sampled', 40);
  const begun = Date.now();
  for (let round = 1; round <= 20; round += 1) {
    const at = new Date(begun + round * 10);
    const told = ids.toReversed().map((id) => [id, { cycles: BigInt(round), takenAt: at }] as const);
    const states = new Map(ids.map((id) => [id, state(BigInt(round))]));
    await Promise.all([
      database.transact((tx) => keepBalances(tx, new Map(told))),
      database.transact((tx) => saveSeenStates(tx, ada, states, at)),
    ]);
  }
  expect((await listCanisters(database.db, ada)).map(({ cycles }) => cycles)).toEqual(ids.map(() => 20n));
});

test('an action whose process went away keeps nobody from seeing what the network says', async () => {
  const ada = await database.newUser(1n);
  const [id = ''] = await newCanisters(ada, 'left', 1);
  const cyclesAfter = async (leaseLeftMs: number, cycles: bigint): Promise<bigint | null | undefined> => {
    await database.db
      .updateTable('canisters')
      .set({ action_id: 'left', action_expires_at: new Date(Date.now() + leaseLeftMs) })
      .where('id', '=', id)
      .execute();
    await database.transact((tx) => saveSeenState(tx, { id, userId: ada }, state(cycles), new Date()));
    return (await listCanisters(database.db, ada)).find((row) => row.id === id)?.cycles;
  };
  expect(await cyclesAfter(20_000, 5n)).toBe(1n);
  expect(await cyclesAfter(-1_000, 6n)).toBe(6n);
});

test('what the network says of one canister is kept without reading the rows of all', async () => {
  const ada = await database.newUser(1n);
  const [id = ''] = await newCanisters(ada, 'large', 1);
  await sql`insert into canisters (id, user_id, name, status, cycles, controllers)
    select 'large-' || place, ${ada}::text, 'large', 'running', 1, array['server'] from generate_series(1000, 8000) place`.execute(
    database.db,
  );
  await sql`analyze canisters`.execute(database.db);
  const read = await database.transact(async (tx) => {
    const reads = async (): Promise<number> => {
      const { rows } = await sql<{ count: string }>`select seq_tup_read as count
        from pg_stat_xact_user_tables where relname = 'canisters'`.execute(tx);
      return Number(rows[0]?.count);
    };
    const before = await reads();
    await saveSeenState(tx, { id, userId: ada }, state(7n), new Date());
    await keepBalances(tx, new Map([[id, { cycles: 7n, takenAt: new Date() }]]));
    return (await reads()) - before;
  });
  expect(read).toBe(0);
  expect((await findBalances(database.db, id, new Date(0))).map(({ cycles }) => cycles)).toEqual([7n]);
});
