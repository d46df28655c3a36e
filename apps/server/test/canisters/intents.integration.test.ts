import { join } from 'node:path';
import { Ed25519KeyIdentity } from '@icp-sdk/core/identity';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { hashOfRequest } from '../../src/db/answer-once.ts';
import type { AppContext } from '../../src/context.ts';
import { hold } from '../../src/features/account/holds.ts';
import { readInsights } from '../../src/features/account/store.ts';
import { createCanister } from '../../src/features/canister/lifecycle/create-canister.ts';
import { findEarlierInstall } from '../../src/features/canister/code/earlier-install.ts';
import { deleteCanister } from '../../src/features/canister/lifecycle/delete-canister.ts';
import { type Intent, insertIntent, type NewIntent } from '../../src/features/canister/payment/intents.ts';
import { recoverIntent } from '../../src/features/canister/payment/recover-intent.ts';
import { setRunning } from '../../src/features/canister/lifecycle/set-running.ts';
import { listCanisters } from '../../src/features/canister/core/store.ts';
import { topUp } from '../../src/features/canister/payment/top-up.ts';
import { openCanisters } from '../../src/features/deploy/publish/open-canisters.ts';
import { findDeploy, insertDeploy } from '../../src/features/deploy/store/store.ts';
import { createIcClient } from '../../src/ic/create-ic-client.ts';
import { LIFETIME_MS, signCall } from '../../src/ic/agent/signed-call.ts';
import { anyDeploy } from '../support/any-deploy.ts';
import type { TestDatabase } from '../support/database.ts';
import { type Program, startNetworkProgram } from '../support/server-process.ts';
import { startUseCases, type UseCases } from './use-cases.ts';

const T = 1_000_000_000_000n;
const AN_HOUR_AGO = new Date(Date.now() - 3_600_000);

/**
 * A module whose method `wait` never replies: it asks the network for random bytes again and again. Its text:
 * (module
 * (import "ic0" "call_new" (func $new (param i32 i32 i32 i32 i32 i32 i32 i32)))
 * (import "ic0" "call_data_append" (func $append (param i32 i32)))
 * (import "ic0" "call_perform" (func $perform (result i32)))
 * (memory 1) (data (i32.const 0) "raw_rand") (data (i32.const 8) "DIDL\00\00")
 * (table funcref (elem $again))
 * (func $ask
 * (call $new (i32.const 0) (i32.const 0) (i32.const 0) (i32.const 8) (i32.const 0) (i32.const 0) (i32.const 0) (i32.const 0))
 * (call $append (i32.const 8) (i32.const 6))
 * (drop (call $perform)))
 * (func $again (param i32) (call $ask))
 * (func (export "canister_update wait") (call $ask)))
 */
const ENDLESS = Buffer.from(
  'AGFzbQEAAAABHAVgCH9/f39/f39/AGACf38AYAABf2AAAGABfwACOgMDaWMwCGNhbGxfbmV3AAADaWMwEGNhbGxfZGF0YV9hcHBl' +
    'bmQAAQNpYzAMY2FsbF9wZXJmb3JtAAIDBAMDBAMEBQFwAQEBBQMBAAEHGAEUY2FuaXN0ZXJfdXBkYXRlIHdhaXQABQkHAQBBAAsB' +
    'BAopAx0AQQBBAEEAQQhBAEEAQQBBABAAQQhBBhABEAIaCwQAEAMLBAAQAwsLGQIAQQALCHJhd19yYW5kAEEICwZESURMAAA=',
  'base64',
);

const identity = Ed25519KeyIdentity.generate();
let useCases: UseCases;
let database: TestDatabase;
let network: Program;
let ctx: AppContext;
beforeAll(async () => {
  useCases = await startUseCases('intents', identity);
  ({ database, network, ctx } = useCases);
});
afterAll(async () => {
  // A test may have exchanged it.
  await network.kill('SIGTERM');
  await useCases.dispose();
});

async function newUser(balance: bigint) {
  const id = await database.newUser(balance);
  return { id, username: id };
}

/** An intent as a server leaves it behind that was killed in the middle. */
function leftBehind(
  user: { id: string },
  of: Pick<NewIntent, 'kind' | 'canisterId' | 'call' | 'deploy'>,
): Promise<Intent> {
  return database.transact(async (tx) => {
    const held = await hold(tx, { userId: user.id, amount: T, purpose: 'test' });
    return insertIntent(tx, {
      ...of,
      lease: undefined,
      userId: user.id,
      holdId: held.id,
      canisterName: 'x',
      cycles: T,
      cyclesBefore: 2n * T,
    });
  });
}

const available = async (user: { id: string }) => (await readInsights(database.db, user.id)).available;

test.each([1, 2])(
  '[API-38] the same installation that begins behind look %i at what was sent before is not taken for another request',
  async (look) => {
    const user = await newUser(10n * T);
    const request = { userId: user.id, key: 'a key', content: ['install', 'x'] };
    const begin = () =>
      database.transact((tx) =>
        insertIntent(tx, {
          kind: 'install',
          userId: user.id,
          holdId: null,
          canisterId: null,
          lease: undefined,
          canisterName: 'x',
          cycles: 0n,
          cyclesBefore: null,
          requestKey: request.key,
          change: {
            kind: 'installed',
            detail: '',
            moduleHash: '',
            chunked: false,
            requestHash: hashOfRequest(request),
          },
          call: {
            requestId: '',
            envelope: new Uint8Array(),
            effectiveCanisterId: 'aaaaa-aa',
            expiresAt: AN_HOUR_AGO,
            ledgerTime: null,
            isRepetition: false,
          },
        }),
      );
    let looks = 0;
    const beginsBetween = database.db.withPlugin({
      transformQuery: ({ node }) => node,
      async transformResult({ result }) {
        looks += 1;
        if (looks === look) await begin();
        return result;
      },
    });
    expect(await findEarlierInstall(beginsBetween, request)).toBe('open');
    await expect(findEarlierInstall(database.db, { ...request, content: ['install', 'y'] })).rejects.toThrow(
      'This Idempotency-Key belongs to another request.',
    );
  },
);

test('a call that the network is still working on is waited for, however old it is', async () => {
  const user = await newUser(10n * T);
  const { id } = await createCanister(ctx, user, { name: 'Endless' });
  const install = { canisterId: id, wasm: ENDLESS, arg: new Uint8Array(), mode: 'install' } as const;
  await ctx.ic.submit(await ctx.ic.signInstall(install));
  const call = await signCall(
    identity,
    { canisterId: id, method: 'wait', arg: new Uint8Array(), effectiveCanisterId: id },
    { expiresAt: new Date(Date.now() + LIFETIME_MS) },
  );
  const sent = await fetch(`${network.url}/api/v2/canister/${id}/call`, {
    method: 'POST',
    headers: { 'content-type': 'application/cbor' },
    body: Buffer.from(call.envelope),
  });
  expect(sent.status).toBe(202);
  await expect.poll(async () => (await ctx.ic.outcome(call)).status).toBe('pending');

  const intent = await leftBehind(user, {
    kind: 'create',
    canisterId: null,
    call: { ...call, expiresAt: AN_HOUR_AGO },
  });
  expect(await recoverIntent(ctx, intent)).toBeUndefined();
  expect(await available(user)).toBe(7n * T);
  await network.kill('SIGTERM');
  network = await startNetworkProgram(join(useCases.folder, 'network-2'));
  ctx = { ...ctx, ic: createIcClient({ icUrl: network.url, identity }) };
});

test('a network that has lost its state gives an id out again: the new canister takes the place of the old row', async () => {
  const [ada, bob] = [await newUser(10n * T), await newUser(10n * T)];
  const { id } = await createCanister(ctx, ada, { name: 'Lost' });
  await network.kill('SIGTERM');
  network = await startNetworkProgram(join(useCases.folder, 'network-3'));
  ctx = { ...ctx, ic: createIcClient({ icUrl: network.url, identity }) };
  const again = await createCanister(ctx, bob, { name: 'New' });
  expect(again.id).toBe(id);
  expect(await listCanisters(database.db, ada.id)).toEqual([]);
  expect(await listCanisters(database.db, bob.id)).toMatchObject([{ id, name: 'New', status: 'running' }]);
  expect(await available(bob)).toBe(8n * T);
});

test('while the outcome of a top-up is not known, nothing else happens to its canister', async () => {
  const user = await newUser(10n * T);
  const { id } = await createCanister(ctx, user, { name: 'Waiting' });
  const call = await ctx.ic.signTopUp(id, T);
  const intent = await leftBehind(user, { kind: 'topup', canisterId: id, call });
  for (const action of [
    () => topUp(ctx, user, { canisterId: id, amount: 1 }),
    () => setRunning(ctx, user, { canisterId: id, running: false }),
    () => deleteCanister(ctx, user, { canisterId: id }),
  ])
    await expect(action()).rejects.toMatchObject({ code: 'canister_busy' });
  expect(await recoverIntent(ctx, intent)).toMatchObject({ done: true });
  // Ending it twice changes nothing.
  expect(await recoverIntent(ctx, intent)).toMatchObject({ done: true });
  expect(await available(user)).toBe(7n * T);
  expect((await ctx.ic.status(id)).cycles).toBe(3n * T);
  await topUp(ctx, user, { canisterId: id, amount: 1 });
  expect(await available(user)).toBe(6n * T);
});

test('a deploy whose creation has no outcome yet waits for that canister and pays for no second one', async () => {
  const user = await newUser(10n * T);
  const deployId = await database.transact((tx) => insertDeploy(tx, anyDeploy(user.id, { name: 'Patient' })));
  const deploy = await findDeploy(database.db, user.id, deployId);
  const call = await ctx.ic.signCreate({ cyclesAmount: T });
  const intent = await leftBehind(user, {
    kind: 'create',
    canisterId: null,
    call,
    deploy: { id: deployId, part: 'patient' },
  });
  const said: string[] = [];
  const [id, ending] = await Promise.all([
    openCanisters(ctx, user, deploy, { names: ['patient'], say: (line) => said.push(line) }).then((open) =>
      open.idOf('patient'),
    ),
    recoverIntent(ctx, intent),
  ]);
  expect(ending).toEqual({ done: true, canisterId: id });
  expect(said).toEqual(['Waiting for the canister that an earlier run has begun to create']);
  const again = await openCanisters(ctx, user, deploy, { names: ['patient'], say: () => {} });
  expect(await again.idOf('patient')).toBe(id);
  expect((await listCanisters(database.db, user.id)).map((canister) => canister.id)).toEqual([id]);
  expect(await available(user)).toBe(9n * T);
});

describe('a request that is sent again with its key', () => {
  test('is carried out once, also when both are under way at the same time', async () => {
    const user = await newUser(10n * T);
    const answers = await Promise.all(
      Array.from({ length: 8 }, () => createCanister(ctx, user, { name: 'Once', key: 'first' })),
    );
    expect(new Set(answers.map(({ id }) => id)).size).toBe(1);
    expect(await available(user)).toBe(8n * T);
    const [canister] = await listCanisters(database.db, user.id);
    const canisterId = canister?.id ?? '';
    for (let sent = 0; sent < 3; sent += 1) await topUp(ctx, user, { canisterId, amount: 1, key: 'second' });
    expect(await available(user)).toBe(7n * T);
    expect((await ctx.ic.status(canisterId)).cycles).toBe(3n * T);
  });

  test('gets its answer also when the balance is spent, and another user may use the same key', async () => {
    const [ada, bob] = [await newUser(2n * T), await newUser(2n * T)];
    const first = await createCanister(ctx, ada, { key: 'mine' });
    expect(await createCanister(ctx, ada, { key: 'mine' })).toEqual(first);
    await expect(createCanister(ctx, ada, { key: 'other' })).rejects.toMatchObject({
      code: 'insufficient_balance',
    });
    expect((await createCanister(ctx, bob, { key: 'mine' })).id).not.toBe(first.id);
  });

  test('is refused when the key belongs to another request, and is free again when that was refused', async () => {
    const user = await newUser(3n * T);
    const { id } = await createCanister(ctx, user, { key: 'taken' });
    const other = topUp(ctx, user, { canisterId: id, amount: 1, key: 'taken' });
    await expect(other).rejects.toMatchObject({ code: 'invalid_input' });
    const tooMuch = topUp(ctx, user, { canisterId: id, amount: 2, key: 'fresh' });
    await expect(tooMuch).rejects.toMatchObject({ code: 'insufficient_balance' });
    await topUp(ctx, user, { canisterId: id, amount: 1, key: 'fresh' });
    expect(await available(user)).toBe(0n);
  });
});

test('deletions and top-ups at once: what left the account is on the canister, or the canister is gone', async () => {
  const user = await newUser(100n * T);
  const ids = await Promise.all(
    Array.from({ length: 6 }, async () => {
      const { id } = await createCanister(ctx, user, { name: 'Contested' });
      await setRunning(ctx, user, { canisterId: id, running: false });
      return id;
    }),
  );
  const outcomes = await Promise.allSettled(
    ids.flatMap((id) => [
      topUp(ctx, user, { canisterId: id, amount: 1 }),
      deleteCanister(ctx, user, { canisterId: id }),
      topUp(ctx, user, { canisterId: id, amount: 2 }),
      deleteCanister(ctx, user, { canisterId: id }),
    ]),
  );
  for (const outcome of outcomes) {
    if (outcome.status === 'rejected') expect(['canister_busy', 'not_found']).toContain(outcome.reason.code);
  }
  const account = await database.db
    .selectFrom('accounts')
    .selectAll()
    .where('user_id', '=', user.id)
    .executeTakeFirstOrThrow();
  expect(account.held).toBe(0n);
  const booked = await database.db
    .selectFrom('transactions')
    .selectAll()
    .where('user_id', '=', user.id)
    .where('transaction_name', '=', 'CANISTER_TOPUP')
    .execute();
  for (const { id } of await listCanisters(database.db, user.id)) {
    const onCanister = booked
      .filter((line) => line.transaction_meta?.includes(id))
      .reduce((sum, line) => sum + line.amount, 2n * T);
    expect((await ctx.ic.status(id)).cycles).toBe(onCanister);
  }
});
