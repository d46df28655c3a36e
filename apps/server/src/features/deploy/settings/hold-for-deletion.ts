import { randomUUID } from 'node:crypto';
import type { Actor, AppContext } from '../../../context.ts';
import type { OneStatement, Tx } from '../../../db/tx.ts';
import { AppError } from '../../../errors.ts';
import { DELETION_LEASE_MS, refuseWhileDeleted } from '../../canister/payment/being-deleted.ts';
import { openRunsOf } from '../store/run-store.ts';
import { isCreationOpen, lockDeploy } from '../store/store.ts';

const RENEW_MS = 10_000;

/**
 * Locks a deploy of which nothing is under way: no run can be scheduled until the transaction ends.
 * @param deletionId of the deletion that has the deploy already
 * @throws AppError not_found, deploy_busy
 */
export async function lockIdleDeploy(
  tx: Tx,
  user: Actor,
  { deployId, deletionId }: { deployId: string; deletionId?: string },
): Promise<void> {
  refuseWhileDeleted(await lockDeploy(tx, user.id, deployId), deletionId);
  const open = await openRunsOf(tx, deployId);
  if (open.some((run) => run.cancelled_by === null)) {
    throw new AppError(
      'deploy_busy',
      'A run of this DApp is under way or waits. Cancel it first, then delete the DApp.',
    );
  }
  if (open.length > 0) {
    throw new AppError('deploy_busy', 'The run that was cancelled has not stopped yet. Wait a moment.');
  }
  if (await isCreationOpen(tx, deployId)) {
    throw new AppError(
      'deploy_busy',
      'An earlier run has begun to create a canister, and the network has not answered yet. Wait a moment.',
    );
  }
}

/** The right to delete a deploy together with its canisters. */
export interface DeletionHold {
  readonly id: string;
  /** @throws AppError deploy_busy when the deploy is not held any more */
  stillHeld(): Promise<void>;
}

/**
 * Runs the deletion of a deploy while no run of it can be scheduled, in whatever process. A lock of the database would
 * need a transaction that lasts as long as the calls to the network.
 * @throws AppError not_found, deploy_busy, or what the deletion throws
 */
export async function holdForDeletion<T>(
  ctx: AppContext,
  user: Actor,
  deployId: string,
  work: (hold: DeletionHold) => Promise<T>,
): Promise<T> {
  const id = randomUUID();
  await ctx.transact(async (tx) => {
    await lockIdleDeploy(tx, user, { deployId });
    await tx
      .updateTable('deploys')
      .set({ deletion_id: id, deletion_expires_at: new Date(Date.now() + DELETION_LEASE_MS) })
      .where('id', '=', deployId)
      .execute();
  });
  const renewal = setInterval(() => {
    renew(ctx.db, deployId, id).catch((error: unknown) => {
      ctx.log.warn({ err: error, deployId }, 'The lease of a deletion could not be renewed');
    });
  }, RENEW_MS);
  try {
    return await work({
      id,
      async stillHeld() {
        if (await renew(ctx.db, deployId, id)) return;
        throw new AppError(
          'deploy_busy',
          'The deletion took too long and has stopped. Delete the DApp again.',
        );
      },
    });
  } finally {
    clearInterval(renewal);
    await end(ctx.db, deployId, id);
  }
}

/** @returns whether the deploy was held until now, so that nobody else can have begun anything */
async function renew(db: OneStatement, deployId: string, id: string): Promise<boolean> {
  const renewed = await db
    .updateTable('deploys')
    .set({ deletion_expires_at: new Date(Date.now() + DELETION_LEASE_MS) })
    .where('id', '=', deployId)
    .where('deletion_id', '=', id)
    .where('deletion_expires_at', '>=', new Date())
    .returning('id')
    .executeTakeFirst();
  return renewed !== undefined;
}

async function end(db: OneStatement, deployId: string, id: string): Promise<void> {
  await db
    .updateTable('deploys')
    .set({ deletion_id: null, deletion_expires_at: null })
    .where('id', '=', deployId)
    .where('deletion_id', '=', id)
    .execute();
}

/** Ends every hold; only for a server that shares its database with no other process. */
export async function endAllDeletions(tx: Tx): Promise<void> {
  await tx
    .updateTable('deploys')
    .set({ deletion_id: null, deletion_expires_at: null })
    .where('deletion_id', 'is not', null)
    .execute();
}
