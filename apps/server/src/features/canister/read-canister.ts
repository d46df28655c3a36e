import type { AppContext } from '../../context.ts';
import type { Actor } from '../../http/actor.ts';
import { type CanisterRow, findCanister, saveState } from './store.ts';

/** One canister of the user: as last known, or as the network knows it now. */
export async function readCanister(
  ctx: AppContext,
  user: Actor,
  input: { canisterId: string; realTime: boolean },
): Promise<CanisterRow> {
  const known = await findCanister(ctx.db, user.id, input.canisterId);
  if (!input.realTime) return known;
  const state = await ctx.ic.status(known.id);
  await ctx.transact((tx) => saveState(tx, { id: known.id, userId: user.id }, state, { changed: false }));
  return findCanister(ctx.db, user.id, known.id);
}
