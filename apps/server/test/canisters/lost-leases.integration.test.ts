import { afterAll, beforeAll, expect, test } from 'vitest';
import type { AppContext } from '../../src/context.ts';
import { installCode } from '../../src/features/canister/code/install-code.ts';
import { returnCode } from '../../src/features/canister/change/change-code.ts';
import { beginChange, findChange } from '../../src/features/canister/change/change-store.ts';
import { runAction } from '../../src/features/canister/core/run-action.ts';
import { listCanisters } from '../../src/features/canister/core/store.ts';
import { createCanister } from '../../src/features/canister/lifecycle/create-canister.ts';
import { deleteCanister } from '../../src/features/canister/lifecycle/delete-canister.ts';
import { topUp } from '../../src/features/canister/payment/top-up.ts';
import { restoreSnapshot } from '../../src/features/canister/snapshots/restore-snapshot.ts';
import { dappCause } from '../../src/features/marketplace/dapp-cause.ts';
import type { Tx } from '../../src/db/tx.ts';
import type { Actor } from '../../src/http/actor.ts';
import type { IcClient } from '../../src/ic/ic-client.ts';
import type { TestDatabase } from '../support/database.ts';
import { startUseCases, type UseCases } from './use-cases.ts';

const T = 1_000_000_000_000n;
/** The smallest module. */
const MODULE = Buffer.from('0061736d01000000', 'hex');

let useCases: UseCases;
let database: TestDatabase;
let ctx: AppContext;
beforeAll(async () => {
  useCases = await startUseCases('lost-leases');
  ({ database, ctx } = useCases);
});
afterAll(() => useCases.dispose());

/** Lets the lease of the action on a canister lapse, and has something done then. */
async function stalled(id: string, meanwhile: () => Promise<unknown>): Promise<void> {
  await database.db
    .updateTable('canisters')
    .set({ action_expires_at: new Date(Date.now() - 1_000) })
    .where('id', '=', id)
    .execute();
  await meanwhile();
}

/** The console as a process that stalls before it has signed a call, for longer than its lease, while another one acts. */
function stalling(
  sign: 'signDelete' | 'signTopUp' | 'signInstall' | 'signRestore',
  id: string,
  meanwhile: () => Promise<unknown>,
): AppContext {
  const wait = (): Promise<void> => stalled(id, meanwhile);
  const { ic } = ctx;
  const signed: Pick<IcClient, typeof sign> = {
    signDelete: async (...args) => wait().then(() => ic.signDelete(...args)),
    signTopUp: async (...args) => wait().then(() => ic.signTopUp(...args)),
    signInstall: async (...args) => wait().then(() => ic.signInstall(...args)),
    signRestore: async (...args) => wait().then(() => ic.signRestore(...args)),
  };
  return { ...ctx, ic: { ...ic, [sign]: signed[sign] } };
}

async function newCanister(): Promise<{ user: Actor; canisterId: string }> {
  const userId = await database.newUser(10n * T);
  const user = { id: userId, username: userId };
  const { id: canisterId } = await createCanister(ctx, user, { name: 'Raced' });
  await ctx.ic.stop(canisterId);
  return { user, canisterId };
}

async function accountOf({ id }: Actor): Promise<{ balance: bigint; held: bigint }> {
  const account = await database.db
    .selectFrom('accounts')
    .select(['balance', 'held'])
    .where('user_id', '=', id)
    .executeTakeFirstOrThrow();
  return { balance: account.balance, held: account.held };
}

const openIntents = ({ id }: Actor) =>
  database.db.selectFrom('intents').select('kind').where('user_id', '=', id).execute();

test('a deletion that has lost its canister to a top-up deletes nothing, so that no cycles are burned', async () => {
  const { user, canisterId } = await newCanister();
  const pay = () => topUp(ctx, user, { canisterId, amount: 1 });
  await expect(
    deleteCanister(stalling('signDelete', canisterId, pay), user, { canisterId }),
  ).rejects.toMatchObject({ code: 'canister_busy' });
  expect((await ctx.ic.status(canisterId)).cycles).toBe(3n * T);
  expect(await accountOf(user)).toEqual({ balance: 7n * T, held: 0n });
  expect(await openIntents(user)).toEqual([]);
});

test('a top-up that has lost its canister to a deletion costs nothing', async () => {
  const { user, canisterId } = await newCanister();
  const remove = () => deleteCanister(ctx, user, { canisterId });
  await expect(
    topUp(stalling('signTopUp', canisterId, remove), user, { canisterId, amount: 1 }),
  ).rejects.toMatchObject({ code: 'canister_busy' });
  expect(await accountOf(user)).toEqual({ balance: 10n * T, held: 0n });
  expect(await openIntents(user)).toEqual([]);
  expect(await listCanisters(ctx.db, user.id)).toEqual([]);
});

test('an action that stalled for longer than its lease goes on where no other has begun', async () => {
  const { user, canisterId } = await newCanister();
  await topUp(
    stalling('signTopUp', canisterId, async () => undefined),
    user,
    { canisterId, amount: 1 },
  );
  expect((await ctx.ic.status(canisterId)).cycles).toBe(3n * T);
});

test('code is put into no canister that another action has, be it new or that of a snapshot', async () => {
  const { user, canisterId } = await newCanister();
  const code = {
    canisterId,
    wasm: MODULE,
    arg: Buffer.from('DIDL\0\0'),
    mode: 'install',
    origin: { kind: 'file' },
  } as const;
  const pay = () => topUp(ctx, user, { canisterId, amount: 1 });
  await expect(installCode(stalling('signInstall', canisterId, pay), user, code)).rejects.toMatchObject({
    code: 'canister_busy',
  });
  expect(await ctx.ic.moduleHash(canisterId)).toBeNull();

  await installCode(ctx, user, code);
  const { id: snapshotId } = await ctx.ic.snapshots.take(canisterId, undefined);
  await expect(
    restoreSnapshot(stalling('signRestore', canisterId, pay), user, { canisterId, snapshotId }),
  ).rejects.toMatchObject({ code: 'canister_busy' });
  expect(await openIntents(user)).toEqual([]);
});

test('what another action has written of its change of the code stays, when one that has lost the canister wakes up', async () => {
  const { user, canisterId } = await newCanister();
  const begin = (tx: Tx) =>
    beginChange(tx, {
      was_running: false,
      before_hash: 'aa',
      target_hash: 'theirs',
      before_origin: null,
      snapshots_before: [],
      canister_id: canisterId,
      user_id: user.id,
      cause: 'dapp',
      phase: 'upgrading',
    });
  const other = () => runAction(ctx, user, canisterId, () => ctx.transact(begin));
  const back = { cause: dappCause, before: 'aa', current: 'mine', snapshotId: 'none', fields: {} };
  const { ic } = ctx;
  const status: IcClient['status'] = async (...args) =>
    stalled(canisterId, other).then(() => ic.status(...args));
  await expect(
    runAction(ctx, user, canisterId, (canister) =>
      returnCode({ ...ctx, ic: { ...ic, status } }, user, canister, back),
    ),
  ).rejects.toMatchObject({ code: 'canister_busy' });
  const kept = await findChange(database.db, canisterId, 'dapp');
  expect(kept).toMatchObject({ phase: 'upgrading', target_hash: 'theirs' });
});
