import type { AppContext } from '../../../context.ts';
import type { Actor } from '../../../http/actor.ts';
import { type CanisterRow, findCanister, saveSeenState, stateOf } from './store.ts';

/** One canister of the user: as last known, or as the network knows it now. */
export async function readCanister(
  ctx: AppContext,
  user: Actor,
  input: { canisterId: string; realTime: boolean },
): Promise<CanisterRow> {
  const known = await findCanister(ctx.db, user.id, input.canisterId);
  if (!input.realTime) return known;
  const askedAt = new Date();
  const state = stateOf(await ctx.ic.status(known.id));
  await ctx.transact((tx) => saveSeenState(tx, { id: known.id, userId: user.id }, state, askedAt));
  const row = await findCanister(ctx.db, user.id, known.id);
  return { ...row, status: state.status, cycles: state.cycles, module_hash: state.moduleHash };
}
