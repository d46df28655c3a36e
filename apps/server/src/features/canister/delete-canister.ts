import type { AppContext } from '../../context.ts';
import { AppError } from '../../errors.ts';
import type { Actor } from '../../http/actor.ts';
import { isCanisterGone } from '../../ic/ic-errors.ts';
import { runAction } from './run-action.ts';
import { deleteCanisterRow } from './store.ts';

/**
 * Deletes a canister that is exactly 'stopped' on the network; its remaining cycles are lost with it.
 * A canister that the network no longer has only leaves the list.
 * @throws AppError canister_not_stopped
 */
export async function deleteCanister(
  ctx: AppContext,
  user: Actor,
  input: { canisterId: string },
): Promise<void> {
  await runAction(ctx, user, input.canisterId, async (canister) => {
    try {
      const { status } = await ctx.ic.status(canister.id);
      if (status !== 'stopped') {
        throw new AppError('canister_not_stopped', 'Canister must be stopped first.');
      }
      await ctx.ic.delete(canister.id);
    } catch (error) {
      if (!isCanisterGone(error)) throw error;
    }
    await ctx.transact((tx) => deleteCanisterRow(tx, { id: canister.id, userId: user.id }));
  });
}
