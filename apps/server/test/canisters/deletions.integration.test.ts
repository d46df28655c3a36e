import { Ed25519KeyIdentity } from '@icp-sdk/core/identity';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { compileMotoko } from '../../../../packages/network/test/compile-motoko.ts';
import type { AppContext } from '../../src/context.ts';
import { AppError } from '../../src/errors.ts';
import type { FaultPoint } from '../../src/fault-points.ts';
import { createCanister } from '../../src/features/canister/lifecycle/create-canister.ts';
import { deleteCanister } from '../../src/features/canister/lifecycle/delete-canister.ts';
import { callOf, type Intent } from '../../src/features/canister/payment/intents.ts';
import { readyDeletion } from '../../src/features/canister/payment/ready-deletion.ts';
import { recoverIntent } from '../../src/features/canister/payment/recover-intent.ts';
import { listCanisters } from '../../src/features/canister/core/store.ts';
import type { Actor } from '../../src/http/actor.ts';
import { createIcClient } from '../../src/ic/create-ic-client.ts';
import type { IcClient } from '../../src/ic/ic-client.ts';
import type { TestDatabase } from '../support/database.ts';
import type { Program } from '../support/server-process.ts';
import { startUseCases, type UseCases } from './use-cases.ts';

const T = 1_000_000_000_000n;
const NOTHING = Buffer.from('DIDL\0\0');
/** Lets cycles leave the canister. */
const SPENDER = `import Cycles "mo:core/Cycles";
persistent actor { public func spend() : async () { ignore Cycles.burn<system>(1_500_000_000_000) } }`;

const second = Ed25519KeyIdentity.generate();
let useCases: UseCases;
let database: TestDatabase;
let network: Program;
let ctx: AppContext;
/** The second controller, as its owner calls the network beside the console. */
let owner: IcClient;

beforeAll(async () => {
  useCases = await startUseCases('deletions');
  ({ database, network, ctx } = useCases);
  owner = createIcClient({ icUrl: network.url, identity: second });
});
afterAll(() => useCases.dispose());

async function newUser(): Promise<Actor> {
  const id = await database.newUser(10n * T);
  return { id, username: id };
}

async function balanceOf({ id }: Actor): Promise<bigint> {
  const { balance, held } = await database.db
    .selectFrom('accounts')
    .selectAll()
    .where('user_id', '=', id)
    .executeTakeFirstOrThrow();
  return balance - held;
}

/** A stopped canister of 2 T whose owner has a principal as its second controller. */
async function sharedCanister(user: Actor): Promise<string> {
  const { id } = await createCanister(ctx, user, { name: 'Shared' });
  const call = await ctx.ic.signInstall({
    canisterId: id,
    wasm: compileMotoko(SPENDER),
    arg: NOTHING,
    mode: 'install',
  });
  expect(await ctx.ic.submit(call)).toMatchObject({ status: 'replied' });
  await ctx.ic.updateSettings(id, { controllers: [ctx.ic.principal, owner.principal] });
  await ctx.ic.stop(id);
  return id;
}

async function spend(id: string): Promise<void> {
  await owner.start(id);
  await owner.call(id, 'spend', NOTHING);
  await owner.stop(id);
}

/** The console, whose reading number `at` of a canister is followed at once by what its second controller does. */
function raced(at: number, attack: (id: string) => Promise<unknown>): AppContext {
  let readings = 0;
  return {
    ...ctx,
    ic: {
      ...ctx.ic,
      async status(id: string, options?: { fast?: boolean }) {
        const report = await ctx.ic.status(id, options);
        readings += 1;
        if (readings === at) await attack(id).catch(() => {});
        return report;
      },
    },
  };
}

test.each([1, 2, 3])(
  'cycles that leave after reading %d of a canister are not paid back',
  async (reading) => {
    const user = await newUser();
    const id = await sharedCanister(user);
    const before = await balanceOf(user);
    const { refunded } = await deleteCanister(raced(reading, spend), user, { canisterId: id });
    // Whoever is no controller any more moves nothing.
    const left = reading === 1 ? T / 2n : 2n * T;
    expect(refunded).toBe(left);
    expect((await balanceOf(user)) - before).toBe(left);
    expect(await listCanisters(ctx.db, user.id)).toEqual([]);
    await expect(ctx.ic.status(id)).rejects.toThrow();
  },
);

test('a canister that was started again after the console has looked is stopped by its deletion', async () => {
  const user = await newUser();
  const id = await sharedCanister(user);
  const start = (canister: string) => owner.start(canister);
  const { deleted, refunded } = await deleteCanister(raced(1, start), user, { canisterId: id });
  expect([deleted, refunded]).toEqual([true, 2n * T]);
});

test('a canister that runs and is not to be stopped keeps its controllers', async () => {
  const user = await newUser();
  const id = await sharedCanister(user);
  await owner.start(id);
  await expect(deleteCanister(ctx, user, { canisterId: id })).rejects.toThrow(
    'Canister must be stopped first.',
  );
  expect((await ctx.ic.status(id)).settings.controllers).toHaveLength(2);
});

const departures: readonly [what: string, deleted: boolean, attack: (id: string) => Promise<unknown>][] = [
  ['takes the canister from the console', false, (id) => alone(id)],
  ['deletes the canister', true, async (id) => owner.submit(await owner.signDelete(id))],
];

test.each(departures)('a second controller who %s: nothing is paid back', async (_what, deleted, attack) => {
  const user = await newUser();
  const id = await sharedCanister(user);
  const before = await balanceOf(user);
  const outcome = await deleteCanister(raced(1, attack), user, { canisterId: id });
  expect(outcome).toMatchObject({ deleted, refunded: 0n });
  expect(await balanceOf(user)).toBe(before);
  expect(await listCanisters(ctx.db, user.id)).toEqual([]);
  expect(await openIntents(user)).toEqual([]);
});

function alone(id: string): Promise<void> {
  return owner.updateSettings(id, { controllers: [owner.principal] });
}

const openIntents = (user: Actor) =>
  database.db.selectFrom('intents').selectAll().where('user_id', '=', user.id).execute();

class Crash extends Error {}

/** The console as a process that ends at a step. */
function crashingAt(step: FaultPoint): AppContext {
  return {
    ...ctx,
    failpoint: (point) => {
      if (point === step) throw new Crash(step);
    },
  };
}

test.each(['delete.intended', 'delete.owned', 'delete.halted', 'delete.read'] as const)(
  'a deletion that is cut off at %s pays back what is there when it is ended',
  async (step) => {
    const user = await newUser();
    const id = await sharedCanister(user);
    const before = await balanceOf(user);
    await expect(deleteCanister(crashingAt(step), user, { canisterId: id })).rejects.toThrow(Crash);
    await spend(id).catch(() => {});
    const left = step === 'delete.intended' ? T / 2n : 2n * T;
    for (const intent of await openIntents(user))
      expect(await recoverIntent(ctx, intent)).toMatchObject({ done: true });
    expect((await balanceOf(user)) - before).toBe(left);
    expect(await openIntents(user)).toEqual([]);
    expect(await listCanisters(ctx.db, user.id)).toEqual([]);
  },
);

/** A deletion whose canister is not read yet, as two processes take it up. */
async function unreadDeletion(): Promise<{ user: Actor; id: string; before: bigint; found: Intent }> {
  const user = await newUser();
  const id = await sharedCanister(user);
  const before = await balanceOf(user);
  await expect(deleteCanister(crashingAt('delete.intended'), user, { canisterId: id })).rejects.toThrow(
    Crash,
  );
  const [found] = await openIntents(user);
  if (found === undefined) throw new Error('The deletion has left no intent.');
  return { user, id, before, found };
}

test('what a deletion pays back is paid by the second process where the first has read it, deleted the canister, and died', async () => {
  const { user, before, found } = await unreadDeletion();
  const ready = await readyDeletion(ctx, found);
  if (typeof ready === 'string') throw new Error(ready);
  expect(await ctx.ic.submit(callOf(ready))).toMatchObject({ status: 'replied' });
  expect(await recoverIntent(ctx, found)).toMatchObject({ done: true });
  expect((await balanceOf(user)) - before).toBe(2n * T);
  expect(await openIntents(user)).toEqual([]);
  expect(await listCanisters(ctx.db, user.id)).toEqual([]);
});

test('a refusal to the second process does not end a deletion that the first has read', async () => {
  const { user, before, found } = await unreadDeletion();
  const refused = async (): Promise<never> => {
    throw new AppError('network_rejected', 'It does not stop.');
  };
  const second = { ...ctx, ic: { ...ctx.ic, updateSettings: refused } };
  const ready = await readyDeletion(ctx, found);
  expect(await recoverIntent(second, found)).toMatchObject({ done: false });
  const [left] = await openIntents(user);
  expect(left).toEqual(ready);
  for (const intent of await openIntents(user)) await recoverIntent(ctx, intent);
  expect((await balanceOf(user)) - before).toBe(2n * T);
});

test('a canister of the console alone is read once', async () => {
  const user = await newUser();
  const { id } = await createCanister(ctx, user, { name: 'Alone' });
  await ctx.ic.stop(id);
  let changes = 0;
  const watched = raced(2, async () => {
    changes += 1;
  });
  expect(await deleteCanister(watched, user, { canisterId: id })).toMatchObject({ refunded: 2n * T });
  expect(changes).toBe(0);
});
