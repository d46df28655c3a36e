import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { hold, release, settle } from '../../src/features/account/holds.ts';
import { listTransactions, readInsights } from '../../src/features/account/store.ts';
import { signInUser } from '../../src/features/user/sign-in-user.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';

const T = 1_000_000_000_000n;

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.close());

const held = (userId: string, amount: bigint) =>
  database.transact((tx) => hold(tx, { userId, amount, purpose: 'test' }));
const booking = { name: 'CANISTER_TOPUP', meta: { canister_id: 'aaaaa-aa' } } as const;

/** The whole history, oldest first, whose every line must continue the one before. */
async function checkedHistory(userId: string) {
  const lines = (await listTransactions(database.db, userId)).toReversed();
  let balance = 0n;
  for (const line of lines) {
    expect(line.balance_before).toBe(balance);
    balance += line.transaction_type === 'CREDIT' ? line.amount : -line.amount;
    expect(line.balance_after).toBe(balance);
    expect(balance).toBeGreaterThanOrEqual(0n);
  }
  return { lines, balance };
}

describe('[OP-31] a new account', () => {
  test('[TX-09] starts with the opening balance, booked as CYCLE_DEPOSIT (CREDIT)', async () => {
    const user = await database.newUser(100n * T);
    const { lines, balance } = await checkedHistory(user);
    expect(lines).toMatchObject([
      { transaction_name: 'CYCLE_DEPOSIT', transaction_type: 'CREDIT', amount: 100n * T },
    ]);
    expect(balance).toBe(100n * T);
  });

  test('balances beyond the exact range of numbers stay exact', async () => {
    const user = await database.newUser(12_345_678_901_234_567_890_123_456_789n);
    const { id } = await held(user, 1n);
    await database.transact((tx) => settle(tx, id, booking));
    expect((await readInsights(database.db, user)).available).toBe(12_345_678_901_234_567_890_123_456_788n);
  });
});

describe('a hold', () => {
  test('reserves, and a settled one is booked as DEBIT with the balance before and after', async () => {
    const user = await database.newUser(10n * T);
    const { id } = await held(user, 4n * T);
    expect((await readInsights(database.db, user)).available).toBe(6n * T);
    await database.transact((tx) => settle(tx, id, booking));
    expect((await listTransactions(database.db, user))[0]).toMatchObject({
      transaction_name: 'CANISTER_TOPUP',
      transaction_type: 'DEBIT',
      amount: 4n * T,
      balance_before: 10n * T,
      balance_after: 6n * T,
      transaction_meta: '{"canister_id":"aaaaa-aa"}',
    });
  });

  test('a released one leaves the account as it was', async () => {
    const user = await database.newUser(10n * T);
    const { id } = await held(user, 10n * T);
    await database.transact((tx) => release(tx, id));
    expect((await readInsights(database.db, user)).available).toBe(10n * T);
    expect((await checkedHistory(user)).lines).toHaveLength(1);
  });

  test('ends once: a second ending fails and books nothing', async () => {
    const user = await database.newUser(10n * T);
    const { id } = await held(user, T);
    const endings = await Promise.allSettled([
      database.transact((tx) => settle(tx, id, booking)),
      database.transact((tx) => settle(tx, id, booking)),
      database.transact((tx) => release(tx, id)),
    ]);
    expect(endings.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    const { available } = await readInsights(database.db, user);
    expect([9n * T, 10n * T]).toContain(available);
    expect((await checkedHistory(user)).balance).toBe(available);
  });

  test('above the balance is refused in plain words', async () => {
    const user = await database.newUser(T + T / 2n);
    await expect(held(user, 2n * T)).rejects.toMatchObject({
      code: 'insufficient_balance',
      message: 'Your balance is 1.5 T; this needs 2 T.',
    });
  });
});

test('200 actions at once never overspend, and the history stays unbroken', async () => {
  const user = await database.newUser(50n * T);
  const outcomes = await Promise.all(
    Array.from({ length: 200 }, async (_, index) => {
      const amount = index % 3 === 0 ? T / 4n : T;
      try {
        const { id } = await held(user, amount);
        if (index % 5 === 0) {
          await database.transact((tx) => release(tx, id));
          return 0n;
        }
        await database.transact((tx) => settle(tx, id, booking));
        return amount;
      } catch (error) {
        expect(error).toMatchObject({ code: 'insufficient_balance' });
        return 0n;
      }
    }),
  );
  const spent = outcomes.reduce((sum, amount) => sum + amount, 0n);
  const { balance } = await checkedHistory(user);
  expect(spent).toBeGreaterThan(0n);
  expect(balance).toBe(50n * T - spent);
  const account = await database.db
    .selectFrom('accounts')
    .selectAll()
    .where('user_id', '=', user)
    .executeTakeFirstOrThrow();
  expect(account).toMatchObject({ balance, held: 0n });
});

test('two first sign-ins of one person at once make one user and one opening balance', async () => {
  const identity = {
    issuer: 'test',
    subject: 'twice',
    username: 'twice',
    name: undefined,
    email: undefined,
    picture: undefined,
  };
  const ids = await Promise.all(
    Array.from({ length: 8 }, () =>
      database.transact((tx) => signInUser(tx, identity, { openingBalance: T })),
    ),
  );
  expect(new Set(ids).size).toBe(1);
  expect((await checkedHistory(ids[0] ?? '')).balance).toBe(T);
});

test('people of one name get usernames of their own', async () => {
  const nobody = { name: undefined, email: undefined, picture: undefined };
  for (const subject of ['one', 'two', 'three']) {
    await database.transact((tx) =>
      signInUser(tx, { issuer: 'elsewhere', subject, username: 'Same', ...nobody }, { openingBalance: 0n }),
    );
  }
  const names = await database.db
    .selectFrom('users')
    .select('username')
    .where('issuer', '=', 'elsewhere')
    .execute();
  expect(names.map((row) => row.username).toSorted()).toEqual(['Same', 'Same-2', 'Same-3']);
});
