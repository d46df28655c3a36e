import { Ed25519KeyIdentity } from '@icp-sdk/core/identity';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { compileMotoko } from '../../../../packages/network/test/compile-motoko.ts';
import type { AppContext } from '../../src/context.ts';
import type { FaultPoint } from '../../src/fault-points.ts';
import { listChanges } from '../../src/features/canister/core/changes.ts';
import { createCanister } from '../../src/features/canister/lifecycle/create-canister.ts';
import { claimAbandonedIntents, type Intent } from '../../src/features/canister/payment/intents.ts';
import { recoverIntent } from '../../src/features/canister/payment/recover-intent.ts';
import { topUp } from '../../src/features/canister/payment/top-up.ts';
import { decideUncertain, listUncertain } from '../../src/features/canister/payment/uncertain-payments.ts';
import type { Actor } from '../../src/http/actor.ts';
import { createIcClient } from '../../src/ic/create-ic-client.ts';
import type { IcClient } from '../../src/ic/ic-client.ts';
import type { TestDatabase } from '../support/database.ts';
import type { Program } from '../support/server-process.ts';
import { startUseCases, type UseCases } from './use-cases.ts';

// What becomes of a top-up that was cut off, when the network has no trace of its call.
const T = 1_000_000_000_000n;
const NOTHING = Buffer.from('DIDL\0\0');
/** Longer than any network is sure to know a call after its expiry. */
const LONG_AGO_MS = 600_000;
/** Lets cycles leave the canister. */
const SPENDER = `import Cycles "mo:core/Cycles";
persistent actor { public func spend() : async () { ignore Cycles.burn<system>(1_500_000_000_000) } }`;

let useCases: UseCases;
let database: TestDatabase;
let network: Program;
let ctx: AppContext;
/** A second controller, as its owner calls the network beside the console. */
let owner: IcClient;

beforeAll(async () => {
  useCases = await startUseCases('uncertain');
  ({ database, network, ctx } = useCases);
  owner = createIcClient({ icUrl: network.url, identity: Ed25519KeyIdentity.generate() });
});
afterAll(() => useCases.dispose());

class Crash extends Error {}

async function newUser(): Promise<Actor> {
  const id = await database.newUser(10n * T);
  return { id, username: id };
}

async function accountOf({ id }: Actor): Promise<{ balance: bigint; held: bigint }> {
  return database.db
    .selectFrom('accounts')
    .select(['balance', 'held'])
    .where('user_id', '=', id)
    .executeTakeFirstOrThrow();
}

/** A canister of 2 T that runs code, or has none. */
async function newCanister(user: Actor, source?: string): Promise<string> {
  const { id } = await createCanister(ctx, user, { name: 'Uncertain' });
  if (source !== undefined) await install(id, source);
  return id;
}

async function install(canisterId: string, source: string): Promise<void> {
  const wasm = compileMotoko(source);
  const call = await ctx.ic.signInstall({ canisterId, wasm, arg: NOTHING, mode: 'install' });
  expect(await ctx.ic.submit(call)).toMatchObject({ status: 'replied' });
}

/** Begins a top-up by 3 T in a process that ends at a step. */
async function cutOffAt(step: FaultPoint, user: Actor, canisterId: string, key?: string): Promise<void> {
  const crashing: AppContext = {
    ...ctx,
    failpoint: (point) => {
      if (point === step) throw new Crash(step);
    },
  };
  const request = { canisterId, amount: 3, ...(key === undefined ? {} : { key }) };
  await expect(topUp(crashing, user, request)).rejects.toThrow(Crash);
  // The process that had the canister is gone; its lease ends by itself after a while.
  await database.db
    .updateTable('canisters')
    .set({ action_id: null, action_expires_at: null })
    .where('id', '=', canisterId)
    .execute();
}

/** The intent as it is when the network has no trace of a call that has expired so long ago. */
async function forgotten(user: Actor, expiredMs: number): Promise<Intent> {
  return database.db
    .updateTable('intents')
    .set({ request_id: '00'.repeat(32), request_expires_at: new Date(Date.now() - expiredMs) })
    .where('user_id', '=', user.id)
    .returningAll()
    .executeTakeFirstOrThrow();
}

const openOf = (user: Actor) =>
  database.db.selectFrom('intents').selectAll().where('user_id', '=', user.id).execute();

/** 10 T, of which 2 T went into the canister; 3 T are neither spent nor to be spent. */
const SET_ASIDE = { balance: 8n * T, held: 3n * T };
const GIVEN_BACK = { balance: 8n * T, held: 0n };
const BOOKED = { balance: 5n * T, held: 0n };

test('a top-up whose cycles the canister has spent at once is not paid back', async () => {
  const user = await newUser();
  const id = await newCanister(user, SPENDER);
  await cutOffAt('topup.answered', user, id, 'my top-up');
  for (let time = 0; time < 2; time += 1) await ctx.ic.call(id, 'spend', NOTHING);
  expect((await ctx.ic.status(id)).cycles).toBeLessThanOrEqual(2n * T);

  const intent = await forgotten(user, LONG_AGO_MS);
  expect(await recoverIntent(ctx, intent)).toMatchObject({ done: false });
  expect(await accountOf(user)).toEqual(SET_ASIDE);
  const [change] = await listChanges(database.db, id);
  expect(change).toMatchObject({ kind: 'topup_uncertain', actor: null });
  expect(change?.detail).toBe(
    '3 T stay set aside: the network no longer knows the payment, and the balance of the canister does not show it. The operator decides.',
  );

  // Nobody takes it up again, the canister is free, and the same request pays nothing.
  await database.db
    .updateTable('intents')
    .set({ claimed_until: new Date(0) })
    .execute();
  expect(await database.transact((tx) => claimAbandonedIntents(tx, 10))).toEqual([]);
  await topUp(ctx, user, { canisterId: id, amount: 1 });
  expect(await accountOf(user)).toEqual({ balance: 7n * T, held: 3n * T });
  await expect(topUp(ctx, user, { canisterId: id, amount: 3, key: 'my top-up' })).rejects.toMatchObject({
    code: 'network_unavailable',
  });
  expect(await accountOf(user)).toEqual({ balance: 7n * T, held: 3n * T });
});

test.each([
  ['runs code', SPENDER, 'topup.answered', async () => {}],
  ['runs code, without the cycles', SPENDER, 'topup.intended', async () => {}],
  [
    'was given away',
    undefined,
    'topup.answered',
    (id: string) => ctx.ic.updateSettings(id, { controllers: [owner.principal] }),
  ],
  [
    'was deleted by others',
    undefined,
    'topup.answered',
    async (id: string) => {
      await ctx.ic.updateSettings(id, { controllers: [owner.principal] });
      await owner.stop(id);
      await owner.submit(await owner.signDelete(id));
    },
  ],
] as const)(
  'of a canister that %s nobody can know: the cycles are set aside',
  async (_what, source, step, change) => {
    const user = await newUser();
    const id = await newCanister(user, source);
    await cutOffAt(step, user, id);
    await change(id);
    expect(await recoverIntent(ctx, await forgotten(user, LONG_AGO_MS))).toMatchObject({ done: false });
    expect(await accountOf(user)).toEqual(SET_ASIDE);
  },
);

test('a canister that others controlled when it was read before proves nothing', async () => {
  const user = await newUser();
  const id = await newCanister(user);
  await ctx.ic.updateSettings(id, { controllers: [ctx.ic.principal, owner.principal] });
  await cutOffAt('topup.answered', user, id);
  await ctx.ic.updateSettings(id, { controllers: [ctx.ic.principal] });
  await recoverIntent(ctx, await forgotten(user, LONG_AGO_MS));
  expect(await accountOf(user)).toEqual(SET_ASIDE);
});

test('a canister that has got code since proves nothing', async () => {
  const user = await newUser();
  const id = await newCanister(user);
  await cutOffAt('topup.answered', user, id);
  await install(id, SPENDER);
  for (let time = 0; time < 2; time += 1) await ctx.ic.call(id, 'spend', NOTHING);
  await recoverIntent(ctx, await forgotten(user, LONG_AGO_MS));
  expect(await accountOf(user)).toEqual(SET_ASIDE);
});

test.each([
  ['has arrived', 'topup.answered', BOOKED],
  ['has not', 'topup.intended', GIVEN_BACK],
] as const)(
  'of a canister that nothing can leave the balance shows that it %s',
  async (_what, step, left) => {
    const user = await newUser();
    const id = await newCanister(user);
    await cutOffAt(step, user, id);
    await recoverIntent(ctx, await forgotten(user, LONG_AGO_MS));
    expect(await accountOf(user)).toEqual(left);
    expect(await openOf(user)).toEqual([]);
  },
);

test.each([
  [0n, GIVEN_BACK],
  [2_000n * T, SET_ASIDE],
] as const)('a canister that burns %d a day without running', async (idleCyclesBurnedPerDay, left) => {
  const user = await newUser();
  const id = await newCanister(user);
  await cutOffAt('topup.intended', user, id);
  const burning: AppContext = {
    ...ctx,
    ic: {
      ...ctx.ic,
      status: async (canister, options) => ({
        ...(await ctx.ic.status(canister, options)),
        idleCyclesBurnedPerDay,
      }),
    },
  };
  await recoverIntent(burning, await forgotten(user, LONG_AGO_MS));
  expect(await accountOf(user)).toEqual(left);
});

describe('a call that the network does not know', () => {
  test('and would know, had it been carried out, was not: its cycles come back whatever the canister does', async () => {
    const user = await newUser();
    const id = await newCanister(user, SPENDER);
    await cutOffAt('topup.intended', user, id);
    const ending = await recoverIntent(ctx, await forgotten(user, 1_000));
    expect(ending).toMatchObject({ done: false, reason: 'The network did not carry out the call in time.' });
    expect(await accountOf(user)).toEqual(GIVEN_BACK);
    expect(await openOf(user)).toEqual([]);
  });

  test('in a certified state of before its expiry may still be carried out, whatever the clock here says', async () => {
    const user = await newUser();
    const id = await newCanister(user);
    await cutOffAt('topup.intended', user, id);
    const intent = await forgotten(user, LONG_AGO_MS);
    const asOf = new Date(intent.request_expires_at.getTime() - 1);
    const behind: AppContext = {
      ...ctx,
      ic: { ...ctx.ic, outcome: async () => ({ status: 'unknown', asOf }) },
    };
    expect(await recoverIntent(behind, intent)).toBeUndefined();
    expect(await accountOf(user)).toEqual(SET_ASIDE);
  });

  test.each([
    ['a network elsewhere', undefined, 30_000],
    ['the embedded network', () => new Date(0), 270_000],
    ['the embedded network that was started later', () => new Date(1_100_000), 370_000],
  ] as const)('would be known to %s for a while', (_what, embeddedSince, forMs) => {
    const client = createIcClient({
      icUrl: network.url,
      identity: Ed25519KeyIdentity.generate(),
      embeddedSince,
    });
    const expiry = new Date(1_000_000);
    expect(client.wouldRemember(expiry, new Date(1_000_000 + forMs))).toBe(true);
    expect(client.wouldRemember(expiry, new Date(1_000_001 + forMs))).toBe(false);
  });
});

test.each([
  ['book', BOOKED, 'CANISTER_TOPUP'],
  ['give-back', GIVEN_BACK, 'CANISTER_CREATE'],
] as const)('the operator decides: %s', async (verdict, left, line) => {
  const user = await newUser();
  const id = await newCanister(user, SPENDER);
  await cutOffAt('topup.intended', user, id);
  const { id: payment } = await forgotten(user, LONG_AGO_MS);
  const decide = () => database.transact((tx) => decideUncertain(tx, payment, verdict));
  await expect(decide()).rejects.toThrow(`There is no uncertain payment ${payment}.`);
  for (const intent of await openOf(user)) await recoverIntent(ctx, intent);
  expect((await listUncertain(database.db)).filter((text) => text.startsWith(payment))).toHaveLength(1);
  await decide();
  expect(await accountOf(user)).toEqual(left);
  const [latest] = await database.db
    .selectFrom('transactions')
    .select('transaction_name')
    .where('user_id', '=', user.id)
    .orderBy('seq', 'desc')
    .execute();
  expect(latest?.transaction_name).toBe(line);
  await expect(decide()).rejects.toThrow('There is no uncertain payment');
});
