import type { AppContext } from '../../../context.ts';
import { AppError, isNetworkAway, isRefused } from '../../../errors.ts';
import type { CertifiedCanister } from '../../../ic/agent/certified.ts';
import { LIFETIME_MS } from '../../../ic/agent/signed-call.ts';
import type { CallOutcome, SignedCall } from '../../../ic/replies/call-outcome.ts';
import { type Ending, completeIntent, releaseIntent } from './complete-intent.ts';
import { type Intent, callOf } from './intents.ts';
import { isLost, signPaymentAgain } from './carry-out-intent.ts';
import { isStill, isUnread, readyDeletion } from './ready-deletion.ts';
import { listCanisters } from '../core/store.ts';
import { setAside } from './uncertain-payments.ts';

/** Seconds of a day. */
const DAY_S = 86_400n;
/** What a canister may have burned counts this much longer, in seconds: clocks differ, and burning is charged now and then. */
const BURNING_S = 3600n;

/**
 * Ends an intent that an earlier process or a vanished network left behind:
 * 1. the network knows the call: its outcome decides, and is waited for;
 * 2. it does not, and the call has not expired: the same call is sent (again), which has an effect at most once;
 * 3. it does not, by a certified state of a moment after the expiry at which it would still know a call that was carried out: the call
 *    was never carried out;
 * 4. it does not, and may have forgotten the call. An installation shows in the hash of the code, a deletion in that the
 *    network has no such canister, and that decides, certified after the expiry. A creation leaves no trace that could
 *    be searched for, so its cycles are given back: the user never pays for a canister that is not in the list. Only
 *    here, when server and network were apart for minutes in the middle of a creation, can a canister stay behind unused.
 *    A top-up shows in the balance of a canister that nothing could leave, before and since. Of any other canister nobody can know: the
 *    cycles may have arrived and gone on. They stay set aside until the operator decides.
 * Where a cycles ledger pays, it knows the payment for a day, whatever the network has forgotten: until then 3. and 4. are to
 * send the same payment in a new message, and the answer that it is a repetition counts as success.
 * A deletion of which it is not known yet what it pays back is made ready first; its call has not been sent.
 * @returns undefined when the intent has to wait for the network
 */
export async function recoverIntent(ctx: AppContext, found: Intent): Promise<Ending | undefined> {
  ctx.failpoint('recovery.found');
  try {
    const intent = isUnread(found) ? await readyDeletion(ctx, found) : found;
    if (intent === 'lost' || intent === 'gone') return { done: true, canisterId: found.canister_id ?? '' };
    const call = callOf(intent);
    const outcome = await outcomeNow(ctx, intent, call);
    if (outcome.status === 'replied' || outcome.status === 'rejected') {
      ctx.failpoint('recovery.answered');
      return await completeIntent(ctx, intent, outcome);
    }
    if (outcome.status === 'uncertain') return await leaveOpen(ctx, intent, outcome.message);
    if (outcome.status === 'unknown' && isLost(ctx, call, outcome))
      return await releaseIntent(ctx, intent, NEVER_DONE);
    if (!mayBeForgotten(call, outcome)) return undefined;
    const happened = await hasHappened[intent.kind](ctx, intent);
    if (happened === 'unclear') return await leaveOpen(ctx, intent, UNCLEAR);
    if (!happened) return await releaseIntent(ctx, intent, NEVER_DONE);
    return await completeIntent(ctx, intent, { status: 'replied', reply: new Uint8Array() });
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
  if (known.status === 'unknown' && ctx.ic.now() < call.expiresAt) return ctx.ic.submit(call);
  const isUndecided = known.status === 'unknown' || known.status === 'again';
  if (call.ledgerTime === null || !isUndecided) return known;
  return ctx.ic.submit(await signPaymentAgain(ctx, intent.id, call));
}

const NEVER_DONE = 'The network did not carry out the call in time.';
const UNCLEAR = 'the network no longer knows the payment, and the balance of the canister does not show it.';

async function leaveOpen(ctx: AppContext, intent: Intent, reason: string): Promise<Ending> {
  await setAside(ctx, intent, reason);
  return { done: false, reason };
}

/** Whether a call that has no answer cannot happen any more, and may have happened. */
function mayBeForgotten({ ledgerTime, expiresAt }: SignedCall, outcome: CallOutcome): boolean {
  if (ledgerTime !== null) return outcome.status === 'expired';
  return outcome.status === 'forgotten' || (outcome.status === 'unknown' && outcome.asOf > expiresAt);
}

/** How the network shows that a call whose answer it has forgotten was carried out. */
const hasHappened: Readonly<
  Record<Intent['kind'], (ctx: AppContext, intent: Intent) => Promise<boolean | 'unclear'>>
> = {
  create: async () => false,
  topup: hasArrived,
  install: isInstalled,
  restore: isInstalled,
  delete: isGone,
};

/** Whether a canister has the code of an installation or of a snapshot, and had other code before as far as the console knows. */
async function isInstalled(ctx: AppContext, intent: Intent): Promise<boolean> {
  const { canister_id: id, user_id, change } = intent;
  if (id === null || change === null || change.moduleHash === null) return false;
  const listed = (await listCanisters(ctx.db, user_id)).find((canister) => canister.id === id);
  if (listed === undefined || listed.module_hash === change.moduleHash) return false;
  return (await certifiedAfter(ctx, intent, id)).moduleHash === change.moduleHash;
}

/** Whether the network no longer has the canister of a deletion. */
async function isGone(ctx: AppContext, intent: Intent): Promise<boolean> {
  if (intent.canister_id === null) return false;
  return (await certifiedAfter(ctx, intent, intent.canister_id)).standing === 'gone';
}

/** The certified state of a canister after the call of an intent can have changed it. */
async function certifiedAfter(
  ctx: AppContext,
  { request_expires_at: expiresAt }: Intent,
  id: string,
): Promise<CertifiedCanister> {
  const certified = await ctx.ic.certified(id);
  if (certified.asOf > expiresAt) return certified;
  throw new AppError('network_unavailable', 'The network has certified nothing yet since the call expired.');
}

/**
 * Whether the balance of a canister shows a top-up. Only of one that nothing could leave since it was read before, which is what
 * `cycles_before` says: it has at least what it had, less what the network burns, and the top-up where it has arrived.
 * Where a ledger pays its books tell the operator more than the balance does.
 */
async function hasArrived(ctx: AppContext, intent: Intent): Promise<boolean | 'unclear'> {
  const { canister_id: id, cycles_before: before, cycles } = intent;
  if (id === null || before === null || intent.ledger_time !== null) return 'unclear';
  // Whoever deleted the canister, or controls it now, may have had its cycles before.
  const { standing, asOf } = await certifiedAfter(ctx, intent, id);
  if (standing !== 'ours') return 'unclear';
  const report = await ctx.ic.status(id);
  if (!isStill(report, ctx.ic.principal)) return 'unclear';
  // By the network's time, which may have been set ahead meanwhile: the call was signed so long before it expires.
  const sinceMs = asOf.getTime() - intent.request_expires_at.getTime() + LIFETIME_MS;
  const seconds = BigInt(Math.ceil(sinceMs / 1000));
  const burned = (report.idleCyclesBurnedPerDay * (seconds + BURNING_S)) / DAY_S;
  // Less is certain: with the top-up there would be more.
  if (report.cycles < before + cycles - burned) return false;
  // What came in from others instead is no less than was paid for. Where it burns more than that, nothing is seen either way.
  return report.cycles > before ? true : 'unclear';
}
