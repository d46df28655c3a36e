import type { AppContext } from '../../context.ts';
import { AppError } from '../../errors.ts';
import type { Actor } from '../../http/actor.ts';
import { type CanisterRow, type CanisterState, appendLog, findCanister, saveState } from './store.ts';

/**
 * Asks the network for a canister's state after an action, keeps it, and appends a line to the status log.
 * When the network is gone right after the action, the state that the action is known to leave is kept instead.
 * @param known what the action is known to have changed
 */
export async function recordStatus(
  ctx: AppContext,
  user: Actor,
  canisterId: string,
  known: Partial<CanisterState> = {},
): Promise<CanisterRow> {
  const before = await findCanister(ctx.db, user.id, canisterId);
  const state = await currentState(ctx, before, known);
  const canister = { id: canisterId, userId: user.id };
  await ctx.transact(async (tx) => {
    await saveState(tx, canister, state, { changed: true });
    await appendLog(tx, canister, state);
  });
  return findCanister(ctx.db, user.id, canisterId);
}

async function currentState(
  ctx: AppContext,
  before: CanisterRow,
  known: Partial<CanisterState>,
): Promise<CanisterState> {
  try {
    return await ctx.ic.status(before.id);
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    ctx.log.warn({ err: error, canisterId: before.id }, 'The state after an action could not be read');
    return { status: before.status, cycles: before.cycles, moduleHash: before.module_hash, ...known };
  }
}
