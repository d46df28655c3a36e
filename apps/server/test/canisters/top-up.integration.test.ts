import { Ed25519KeyIdentity } from '@icp-sdk/core/identity';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { AppContext } from '../../src/context.ts';
import { listTransactions, readInsights } from '../../src/features/account/store.ts';
import { findBalances } from '../../src/features/canister/balance/balance-store.ts';
import { listChanges } from '../../src/features/canister/core/changes.ts';
import { createCanister } from '../../src/features/canister/lifecycle/create-canister.ts';
import { recoverIntent } from '../../src/features/canister/payment/recover-intent.ts';
import { findCanister, listLogs } from '../../src/features/canister/core/store.ts';
import { topUp } from '../../src/features/canister/payment/top-up.ts';
import type { TestDatabase } from '../support/database.ts';
import { startUseCases, type UseCases } from './use-cases.ts';

const T = 1_000_000_000_000n;
const LONG_AGO = new Date(0);

let useCases: UseCases;
let database: TestDatabase;
let ctx: AppContext;
beforeAll(async () => {
  useCases = await startUseCases('top-up');
  ({ database, ctx } = useCases);
});
afterAll(() => useCases.dispose());

async function newUser(balance: bigint) {
  const id = await database.newUser(balance);
  return { id, username: `name of ${id}` };
}

const available = async (user: { id: string }) => (await readInsights(database.db, user.id)).available;

test('[TX-09] row, log, history, chart and books say of a top-up what the network says', async () => {
  const user = await newUser(10n * T);
  const { id } = await createCanister(ctx, user, { name: 'Told' });
  const before = new Date();
  const row = await topUp(ctx, user, { canisterId: id, amount: 1.5 });
  const report = await ctx.ic.status(id);
  expect(report.cycles).toBe(3_500_000_000_000n);
  expect(row).toMatchObject({
    id,
    name: 'Told',
    cycles: report.cycles,
    status: 'running',
    module_hash: null,
  });
  expect(row.controllers).toEqual(report.settings.controllers.toSorted());
  expect(await findCanister(database.db, user.id, id)).toEqual(row);
  expect(row).toMatchObject({ action_id: null, action_expires_at: null });
  expect(row.updated_at?.getTime()).toBeGreaterThanOrEqual(before.getTime());
  const [line] = await listLogs(database.db, user.id, id);
  expect(line).toMatchObject({ cycles: report.cycles, status: 'running', module_hash: null });
  const [change] = await listChanges(database.db, id);
  expect(change).toMatchObject({
    kind: 'topped_up',
    actor: user.username,
    detail: '1.5 T from the account.',
  });
  const [sample] = (await findBalances(database.db, id, LONG_AGO)).toReversed();
  expect(sample).toMatchObject({ cycles: report.cycles, taken_at: row.sampled_at });
  const [booked] = await listTransactions(database.db, user.id);
  expect(booked).toMatchObject({
    transaction_name: 'CANISTER_TOPUP',
    transaction_type: 'DEBIT',
    amount: 1_500_000_000_000n,
    balance_before: 8n * T,
    balance_after: 6_500_000_000_000n,
    transaction_meta: JSON.stringify({ canister_id: id }),
    counter_account: `canister:${id}`,
    request_key: null,
  });
  expect(await available(user)).toBe(6_500_000_000_000n);
});

test('what others have changed is in the history beside the top-up that came upon it', async () => {
  const user = await newUser(10n * T);
  const { id } = await createCanister(ctx, user, { name: 'Shared' });
  const guest = Ed25519KeyIdentity.generate().getPrincipal().toText();
  await ctx.ic.updateSettings(id, { controllers: [ctx.ic.principal, guest] });
  const row = await topUp(ctx, user, { canisterId: id, amount: 1 });
  expect(row.controllers).toEqual([ctx.ic.principal, guest].toSorted());
  const kinds = (await listChanges(database.db, id)).map(({ kind }) => kind);
  expect(kinds).toEqual(['outside', 'topped_up', 'created']);
});

test('the first top-up of an hour thins out the chart, as every balance does that is read', async () => {
  const user = await newUser(10n * T);
  const { id } = await createCanister(ctx, user, { name: 'Charted' });
  const twoDaysAgo = Math.floor(Date.now() / 5000 / 720 - 48) * 720;
  await database.db
    .insertInto('canister_balances')
    .values(
      [0, 1, 2].map((more) => ({
        canister_id: id,
        slot: twoDaysAgo + more,
        taken_at: new Date((twoDaysAgo + more) * 5000),
        cycles: T,
      })),
    )
    .execute();
  await topUp(ctx, user, { canisterId: id, amount: 1 });
  const slots = (await findBalances(database.db, id, LONG_AGO)).map(({ slot }) => slot);
  expect(slots).toEqual([twoDaysAgo + 2, expect.any(Number)]);
});

test('a payment that another process ends meanwhile is booked once, and the canister is free again', async () => {
  const user = await newUser(10n * T);
  const { id } = await createCanister(ctx, user, { name: 'Twice' });
  const raced: AppContext = {
    ...ctx,
    ic: {
      ...ctx.ic,
      async submit(call) {
        const outcome = await ctx.ic.submit(call);
        const intent = await database.db
          .selectFrom('intents')
          .selectAll()
          .where('request_id', '=', call.requestId)
          .executeTakeFirstOrThrow();
        expect(await recoverIntent(ctx, intent)).toMatchObject({ done: true });
        return outcome;
      },
    },
  };
  const row = await topUp(raced, user, { canisterId: id, amount: 1 });
  expect(row.cycles).toBe(3n * T);
  expect(await available(user)).toBe(7n * T);
  expect((await ctx.ic.status(id)).cycles).toBe(3n * T);
  const kinds = (await listChanges(database.db, id)).map(({ kind }) => kind);
  expect(kinds).toEqual(['topped_up', 'created']);
  await topUp(ctx, user, { canisterId: id, amount: 1 });
  expect(await available(user)).toBe(6n * T);
});

test('one account pays for many canisters at once, to its last cycle and not beyond', async () => {
  const user = await newUser(31n * T);
  const ids = await Promise.all(
    Array.from({ length: 8 }, async () => (await createCanister(ctx, user, { name: 'Many' })).id),
  );
  const outcomes = await Promise.allSettled(
    Array.from({ length: 6 }).flatMap((_, round) =>
      ids.map(async (id) => {
        // One canister takes one payment at a time.
        await new Promise((resolve) => setTimeout(resolve, round * 300));
        return topUp(ctx, user, {
          canisterId: id,
          amount: 1,
          ...(round % 2 === 0 && { key: `${id} ${round}` }),
        });
      }),
    ),
  );
  const done = outcomes.filter(({ status }) => status === 'fulfilled').length;
  for (const outcome of outcomes) {
    if (outcome.status === 'rejected')
      expect(['canister_busy', 'insufficient_balance']).toContain(outcome.reason.code);
  }
  let balance = 0n;
  for (const line of (await listTransactions(database.db, user.id)).toReversed()) {
    expect(line.balance_before).toBe(balance);
    balance = line.balance_after;
  }
  expect(balance).toBe(15n * T - BigInt(done) * T);
  expect(await available(user)).toBe(balance);
  const arrived = await Promise.all(ids.map(async (id) => (await ctx.ic.status(id)).cycles - 2n * T));
  expect(arrived.reduce((sum, cycles) => sum + cycles, 0n)).toBe(BigInt(done) * T);
  expect(done).toBeGreaterThan(8);
});
