import type { AppContext } from '../../context.ts';
import { AppError, isNetworkAway, isRefused } from '../../errors.ts';
import type { CallOutcome, SignedCall } from '../../ic/ic-client.ts';
import { isCanisterGone } from '../../ic/ic-errors.ts';
import { type Ending, completeIntent, releaseIntent } from './complete-intent.ts';
import { type Intent, callOf } from './intents.ts';
import { isUnread, readyDeletion } from './ready-deletion.ts';
import { signPaymentAgain } from './sign-payment-again.ts';
import { listCanisters } from './store.ts';

/** After a call's expiry the network cannot take it any more; this much longer allows for clocks that differ. */
const AFTER_EXPIRY_MS = 60_000;

/**
 * Ends an intent that an earlier process or a vanished network left behind:
 * 1. the network knows the call: its outcome decides, and is waited for;
 * 2. it does not, and the call has not expired: the same call is sent (again), which has an effect at most once;
 * 3. it does not, and the call has expired: it cannot happen any more, but it may have happened so long ago that the
 *    network has forgotten its answer. A top-up shows in the canister's balance, an installation in the hash of its
 *    code, a deletion in that the network has no such canister, and that decides. A creation leaves no trace that could
 *    be searched for, so its cycles are given back: the user never pays for a canister that is not in the list. Only
 *    here, when server and network were apart for minutes in the middle of a creation, can a canister stay behind unused.
 * Where a cycles ledger pays, it knows the payment for a day, whatever the network has forgotten: until then 3. is to
 * send the same payment in a new message, and the answer that it is a repetition counts as success.
 * A deletion of which it is not known yet what it pays back is made ready first; its call has not been sent.
 * @returns undefined when the intent has to wait for the network
 */
export async function recoverIntent(ctx: AppContext, found: Intent): Promise<Ending | undefined> {
  ctx.reach('recovery.found');
  try {
    const intent = isUnread(found) ? await readyDeletion(ctx, found) : found;
    if (intent === 'lost' || intent === 'gone') return { done: true, canisterId: found.canister_id ?? '' };
    const call = callOf(intent);
    const outcome = await outcomeNow(ctx, intent, call);
    if (outcome.status === 'replied' || outcome.status === 'rejected') {
      ctx.reach('recovery.answered');
      return await completeIntent(ctx, intent, outcome);
    }
    if (!isOver(call, outcome)) return undefined;
    if (await hasHappened[intent.kind](ctx, intent)) {
      return await completeIntent(ctx, intent, { status: 'replied', reply: new Uint8Array() });
    }
    return await releaseIntent(ctx, intent, 'The network did not carry out the call in time.');
  } catch (error) {
    if (isNetworkAway(error)) return undefined;
    // Such as a canister that does not stop: nothing has been sent that deletes it.
    if (isUnread(found) && isRefused(error)) return releaseIntent(ctx, found, error.message, error.detail);
    throw error;
  }
}

/** The outcome of an intent's call, which is sent (again) as long as that can have no second effect. */
async function outcomeNow(ctx: AppContext, intent: Intent, call: SignedCall): Promise<CallOutcome> {
  const known = await ctx.ic.outcome(call);
  if (known.status === 'unknown' && Date.now() < call.expiresAt.getTime()) return ctx.ic.submit(call);
  const isUndecided = known.status === 'unknown' || known.status === 'again';
  if (call.ledgerTime === null || !isUndecided) return known;
  return ctx.ic.submit(await signPaymentAgain(ctx, intent.id, call));
}

/** Whether a call that has no answer cannot happen any more. */
function isOver(call: SignedCall, { status }: CallOutcome): boolean {
  if (call.ledgerTime !== null) return status === 'expired';
  return status === 'unknown' && Date.now() >= call.expiresAt.getTime() + AFTER_EXPIRY_MS;
}

/** How the network shows that a call whose answer it has forgotten was carried out. */
const hasHappened: Readonly<Record<Intent['kind'], (ctx: AppContext, intent: Intent) => Promise<boolean>>> = {
  create: async () => false,
  topup: hasArrived,
  install: isInstalled,
  restore: isInstalled,
  delete: isGone,
};

/** Whether a canister has the code of an installation or of a snapshot, and had other code before as far as the console knows. */
async function isInstalled(ctx: AppContext, { canister_id: id, user_id, change }: Intent): Promise<boolean> {
  if (id === null || change === null || change.moduleHash === null) return false;
  const listed = (await listCanisters(ctx.db, user_id)).find((canister) => canister.id === id);
  if (listed === undefined || listed.module_hash === change.moduleHash) return false;
  return (await ctx.ic.moduleHash(id)) === change.moduleHash;
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
