import type { AppContext } from '../../context.ts';
import { AppError } from '../../errors.ts';
import type { Actor } from '../../http/actor.ts';
import { type Change, recordChange } from './changes.ts';
import {
  appendLog,
  type CanisterRow,
  type CanisterState,
  findCanister,
  keptState,
  saveState,
  stateOf,
} from './store.ts';

/** What an action did. */
export interface Done {
  /** What the action is known to have changed. */
  readonly known?: Partial<CanisterState>;
  /** Its entry in the canister's history. */
  readonly change?: Omit<Change, 'actor'>;
}

/**
 * Asks the network for a canister's state after an action, keeps it, and appends a line to the status log and to the
 * history. When the network is gone right after the action, the state that the action is known to leave is kept instead.
 */
export async function recordStatus(
  ctx: AppContext,
  user: Actor,
  canisterId: string,
  { known = {}, change }: Done = {},
): Promise<CanisterRow> {
  const before = await findCanister(ctx.db, user.id, canisterId);
  const state = await currentState(ctx, before, known);
  const canister = { id: canisterId, userId: user.id };
  await ctx.transact(async (tx) => {
    await saveState(tx, canister, state, known);
    await appendLog(tx, canister, state);
    if (change !== undefined) await recordChange(tx, canisterId, { ...change, actor: user.username });
  });
  return findCanister(ctx.db, user.id, canisterId);
}

async function currentState(
  ctx: AppContext,
  before: CanisterRow,
  known: Partial<CanisterState>,
): Promise<CanisterState> {
  try {
    return stateOf(await ctx.ic.status(before.id));
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    ctx.log.warn({ err: error, canisterId: before.id }, 'The state after an action could not be read');
    return { ...keptState(before), ...known };
  }
}
