import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { type RawBuilder, sql } from 'kysely';
import type { AppContext } from '../../../context.ts';
import { lapsed } from '../../../db/lapsed.ts';
import { type OneStatement, runOften, type Tx } from '../../../db/tx.ts';
import { AppError } from '../../../errors.ts';
import type { Actor } from '../../../http/actor.ts';
import { isFree, LEASE_MS } from './action-lease.ts';
import { type CanisterRow, findCanister, hasNoIntent, isUndisturbed } from './store.ts';

const RENEW_MS = 10_000;
const END_RETRY_MS = 2_000;

/** The right of one action to run on a canister. */
export interface Lease {
  readonly id: string;
  /** Whether the action has given it back in the transaction that wrote what it has done. */
  isOver: boolean;
}

/**
 * Runs an action on a canister of the user while no other action can run on it, in whatever process. A top-up whose
 * outcome is not known yet counts as one: only the canister's balance may tell later whether it has arrived. So does a
 * change of version that a crash has cut off, except to the action that ends it.
 * @param options.endsChange whether the action ends such a change
 * @throws AppError not_found or canister_busy, or what the action throws
 */
export async function runAction<T>(
  ctx: AppContext,
  user: Actor,
  canisterId: string,
  action: (canister: CanisterRow, lease: Lease) => Promise<T>,
  { endsChange = false }: { endsChange?: boolean } = {},
): Promise<T> {
  const lease = { id: randomUUID(), canisterId, userId: user.id, endsChange, isOver: false };
  const claimed = (await claimIdle(ctx.db, lease)) ?? (await takeOver(ctx, lease));
  if (claimed === undefined)
    throw new AppError('canister_busy', 'Another action is running on this canister.');
  const renewal = setInterval(() => {
    renew(ctx.db, lease).catch((error: unknown) => {
      ctx.log.warn({ err: error, canisterId }, 'The lease of a canister action could not be renewed');
    });
  }, RENEW_MS);
  try {
    return await action(claimed, lease);
  } finally {
    clearInterval(renewal);
    // What the action has come to is known: a database that is away now does not change it.
    if (!lease.isOver) await end(ctx.db, lease).catch(() => void endLater(ctx, lease));
  }
}

interface Claim extends Lease {
  readonly canisterId: string;
  readonly userId: string;
  readonly endsChange: boolean;
}

/** Claims a canister that no action has. */
async function claimIdle(db: OneStatement, lease: Claim): Promise<CanisterRow | undefined> {
  const [claimed] = await runOften(
    db,
    claiming(db, lease)
      .where('action_id', 'is', null)
      .where(lease.endsChange ? hasNoIntent : isUndisturbed),
  );
  return claimed;
}

/**
 * Claims a canister whose action has let its lease lapse. That action may be writing its intent down at this moment, which holds
 * the row (`leaseHeld`): what it has written is looked for once the row is had.
 * @throws AppError not_found
 */
async function takeOver(
  ctx: Pick<AppContext, 'db' | 'transact'>,
  lease: Claim,
): Promise<CanisterRow | undefined> {
  const found = await findCanister(ctx.db, lease.userId, lease.canisterId);
  if (found.action_id === null || !isFree(found)) return undefined;
  const take = async (tx: Tx): Promise<CanisterRow> => {
    await claiming(tx, lease).where(lapsed('action_expires_at', LEASE_MS)).execute();
    return tx
      .selectFrom('canisters')
      .selectAll()
      .where('id', '=', lease.canisterId)
      .where('action_id', '=', lease.id)
      .where(lease.endsChange ? hasNoIntent : isUndisturbed)
      .executeTakeFirstOrThrow(() => new NotTakenError());
  };
  return ctx.transact(take).catch((error: unknown) => {
    if (error instanceof NotTakenError) return undefined;
    throw error;
  });
}

/** Another action has the canister after all, or a call for it has no outcome yet. */
class NotTakenError extends Error {}

function claiming(db: OneStatement, lease: Claim) {
  return db
    .updateTable('canisters')
    .set({ action_id: lease.id, action_expires_at: new Date(Date.now() + LEASE_MS) })
    .where('id', '=', lease.canisterId)
    .where('user_id', '=', lease.userId)
    .returningAll();
}

/**
 * The statement that finds out whether an action has its lease, lapsed or not, and keeps others from taking it over until the
 * transaction ends. It answers no row where the lease is lost. The row is not changed: a change costs several times as much.
 */
export function leaseHeld(canisterId: string, lease: string | null): RawBuilder<{ id: string }> {
  return sql`select id from canisters where id = ${canisterId}::text and action_id = ${lease}::text for share`;
}

export const leaseLost = (): AppError =>
  new AppError('canister_busy', 'Another action has begun on this canister meanwhile. Try again.');

/**
 * To be called by an action in the transaction in which it writes down what it is about to do: until that ends, nobody takes its lease over.
 * @throws AppError canister_busy where it has lost its lease, since it stalled for too long
 */
export async function mustHaveLease(tx: Tx, canisterId: string, lease: string | null): Promise<void> {
  const { rows } = await leaseHeld(canisterId, lease).execute(tx);
  if (rows.length === 0) throw leaseLost();
}

async function renew(db: OneStatement, lease: Claim): Promise<void> {
  await db
    .updateTable('canisters')
    .set({ action_expires_at: new Date(Date.now() + LEASE_MS) })
    .where('id', '=', lease.canisterId)
    .where('action_id', '=', lease.id)
    .execute();
}

async function end(db: OneStatement, lease: Claim): Promise<void> {
  await db
    .updateTable('canisters')
    .set({ action_id: null, action_expires_at: null })
    .where('id', '=', lease.canisterId)
    .where('action_id', '=', lease.id)
    .execute();
}

/** Ends a lease that could not be ended at once; when it has lapsed, the next action takes it over. */
async function endLater(ctx: Pick<AppContext, 'db' | 'log'>, lease: Claim): Promise<void> {
  for (let tries = 1; tries <= LEASE_MS / END_RETRY_MS; tries += 1) {
    await delay(END_RETRY_MS, undefined, { ref: false });
    try {
      return await end(ctx.db, lease);
    } catch (error) {
      ctx.log.debug({ err: error, canisterId: lease.canisterId }, 'a lease could not be ended yet');
    }
  }
}

/** Ends every lease; only for a server that shares its database with no other process. */
export async function endAllActions(tx: Tx): Promise<void> {
  await tx
    .updateTable('canisters')
    .set({ action_id: null, action_expires_at: null })
    .where('action_id', 'is not', null)
    .execute();
}
