import { setTimeout as delay } from 'node:timers/promises';
import type { CanisterFate } from '@cannery/contract';
import type { Actor, AppContext } from '../../../context.ts';
import { AppError } from '../../../errors.ts';
import { type Deletion, deleteCanister } from '../../canister/lifecycle/delete-canister.ts';
import { holdForDeletion, lockIdleDeploy } from './hold-for-deletion.ts';
import { canistersOf, deleteDeployRow } from '../store/store.ts';

/** How long a canister is waited for on which another action runs, such as the end of a deletion that was cut off. */
const PATIENCE_MS = 20_000;
const POLL_MS = 250;

/** What the deletion of a deploy came to, with the cycles that came back to the account. */
export type DeployDeletion = Pick<Deletion, 'message' | 'refunded'>;

/**
 * Deletes a deploy with its runs, their logs and what is kept of their results. Its canisters stay in the account, or each is
 * stopped and deleted first. The deploy goes last: a deletion that was cut off is made again and ends the same.
 * @throws AppError not_found, also for somebody else's deploy; deploy_busy while a run is under way or waits; what keeps a
 *   canister from being deleted, which leaves the deploy with those that are left
 */
export async function deleteDeploy(
  ctx: AppContext,
  user: Actor,
  { deployId, canisters }: { deployId: string; canisters: CanisterFate },
): Promise<DeployDeletion> {
  if (canisters === 'keep') {
    await remove(ctx, user, { deployId });
    return { message: 'DApp deleted. Its canisters stay.', refunded: 0n };
  }
  const deletions = await holdForDeletion(ctx, user, deployId, async (hold) => {
    const done: Deletion[] = [];
    for (const { canisterId } of (await canistersOf(ctx.db, [deployId])).get(deployId) ?? []) {
      await hold.stillHeld();
      done.push(await deleteOne(ctx, user, canisterId));
    }
    await remove(ctx, user, { deployId, deletionId: hold.id });
    return done;
  });
  return {
    message: deletions.every(({ deleted }) => deleted)
      ? 'DApp and canisters deleted.'
      : 'DApp deleted. Canisters that the console no longer controls still exist on the network.',
    refunded: deletions.reduce((sum, { refunded }) => sum + refunded, 0n),
  };
}

async function remove(
  ctx: AppContext,
  user: Actor,
  deploy: { deployId: string; deletionId?: string },
): Promise<void> {
  await ctx.transact(async (tx) => {
    await lockIdleDeploy(tx, user, deploy);
    await deleteDeployRow(tx, { id: deploy.deployId, userId: user.id });
  });
}

async function deleteOne(ctx: AppContext, user: Actor, canisterId: string): Promise<Deletion> {
  for (const giveUpAt = performance.now() + PATIENCE_MS; ; await delay(POLL_MS)) {
    try {
      return await deleteCanister(ctx, user, { canisterId, stopFirst: true });
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      // Whoever has ended what an earlier request began has booked its cycles.
      if (error.code === 'not_found') return { message: '', deleted: true, refunded: 0n };
      if (error.code !== 'canister_busy' || performance.now() > giveUpAt) throw error;
    }
  }
}
