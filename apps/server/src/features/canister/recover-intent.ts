import type { AppContext } from '../../context.ts';
import { AppError } from '../../errors.ts';
import { isCanisterGone } from '../../ic/ic-errors.ts';
import { type Ending, completeIntent, releaseIntent } from './complete-intent.ts';
import { type Intent, callOf } from './intents.ts';

/** After a call's expiry the network cannot take it any more; this much longer allows for clocks that differ. */
const AFTER_EXPIRY_MS = 60_000;

/**
 * Ends an intent that an earlier process or a vanished network left behind:
 * 1. the network knows the call: its outcome decides, and is waited for;
 * 2. it does not, and the call has not expired: the same call is sent (again), which has an effect at most once;
 * 3. it does not, and the call has expired: it cannot happen any more, but it may have happened so long ago that the
 *    network has forgotten its answer. A top-up shows in the canister's balance, a deletion in that the network has no
 *    such canister, and that decides. A creation leaves no trace that could be searched for, so its cycles are
 *    given back: the user never pays for a canister that is not in the list. Only here, when server and network were
 *    apart for minutes in the middle of a creation, can a canister stay behind unused.
 * @returns undefined when the intent has to wait for the network
 */
export async function recoverIntent(ctx: AppContext, intent: Intent): Promise<Ending | undefined> {
  try {
    const call = callOf(intent);
    const known = await ctx.ic.outcome(call);
    if (known.status === 'pending') return undefined;
    if (known.status !== 'unknown') return await completeIntent(ctx, intent, known);
    if (Date.now() < call.expiresAt.getTime()) {
      const outcome = await ctx.ic.submit(call);
      const isOver = outcome.status === 'replied' || outcome.status === 'rejected';
      return isOver ? await completeIntent(ctx, intent, outcome) : undefined;
    }
    if (Date.now() < call.expiresAt.getTime() + AFTER_EXPIRY_MS) return undefined;
    if (intent.kind === 'topup' && (await hasArrived(ctx, intent))) {
      return await completeIntent(ctx, intent, { status: 'replied', reply: new Uint8Array() });
    }
    if (intent.kind === 'delete' && (await isGone(ctx, intent))) {
      return await completeIntent(ctx, intent, { status: 'replied', reply: new Uint8Array() });
    }
    return await releaseIntent(ctx, intent, 'The network did not carry out the call in time.');
  } catch (error) {
    if (error instanceof AppError && error.code === 'network_unavailable') return undefined;
    throw error;
  }
}

/** Whether the network has the canister of a deletion no more. */
async function isGone(ctx: AppContext, intent: Intent): Promise<boolean> {
  if (intent.canister_id === null) return false;
  try {
    await ctx.ic.status(intent.canister_id);
    return false;
  } catch (error) {
    if (isCanisterGone(error)) return true;
    if (error instanceof AppError && error.code === 'network_rejected') return false;
    throw error;
  }
}

/** Whether a canister's balance shows a top-up: it burns far less in minutes than half of any amount. */
async function hasArrived(ctx: AppContext, intent: Intent): Promise<boolean> {
  if (intent.canister_id === null || intent.cycles_before === null) return false;
  try {
    const { cycles } = await ctx.ic.status(intent.canister_id);
    return cycles >= intent.cycles_before + intent.cycles / 2n;
  } catch (error) {
    // A canister that is gone has taken its cycles with it; nothing can be shown to have arrived.
    if (error instanceof AppError && error.code === 'network_rejected') return false;
    throw error;
  }
}
