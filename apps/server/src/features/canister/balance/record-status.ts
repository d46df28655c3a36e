import type { AppContext } from '../../../context.ts';
import type { Tx } from '../../../db/tx.ts';
import { AppError } from '../../../errors.ts';
import type { Actor } from '../../../http/actor.ts';
import type { CanisterReport } from '../../../ic/management/canister-report.ts';
import { keepBalances } from './balance-store.ts';
import { type Change, recordChange } from '../core/changes.ts';
import {
  appendLog,
  type CanisterRow,
  type CanisterState,
  findCanister,
  keptState,
  saveState,
  stateOf,
} from '../core/store.ts';

/** What an action did. */
export interface Done {
  /** What the network has said since the action; it is asked where this is absent. */
  readonly report?: CanisterReport | undefined;
  /** What the action is known to have changed. */
  readonly known?: Partial<CanisterState>;
  /** Its entry in the canister's history. */
  readonly change?: Omit<Change, 'actor'>;
  /** What else is written in the same transaction. */
  readonly keep?: (tx: Tx) => Promise<void>;
}

/**
 * Asks the network for a canister's state after an action, keeps it, and appends a line to the status log and to the
 * history. When the network is gone right after the action, the state that the action is known to leave is kept instead.
 */
export async function recordStatus(
  ctx: AppContext,
  user: Actor,
  canisterId: string,
  { report, known = {}, change, keep }: Done = {},
): Promise<CanisterRow> {
  const before = await findCanister(ctx.db, user.id, canisterId);
  const takenAt = new Date();
  const seen = report === undefined ? await seenState(ctx, canisterId) : stateOf(report);
  const state = seen ?? { ...keptState(before), ...known };
  const canister = { id: canisterId, userId: user.id };
  await ctx.transact(async (tx) => {
    await saveState(tx, canister, state, known);
    await appendLog(tx, canister, state);
    if (seen?.cycles != null)
      await keepBalances(tx, new Map([[canisterId, { cycles: seen.cycles, takenAt }]]));
    if (change !== undefined) await recordChange(tx, canisterId, { ...change, actor: user.username });
    await keep?.(tx);
  });
  return findCanister(ctx.db, user.id, canisterId);
}

/** What the network says of a canister; undefined when it cannot be asked. */
async function seenState(ctx: AppContext, canisterId: string): Promise<CanisterState | undefined> {
  try {
    return stateOf(await ctx.ic.status(canisterId));
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    ctx.log.warn({ err: error, canisterId }, 'The state after an action could not be read');
    return undefined;
  }
}
