import { setTimeout as delay } from 'node:timers/promises';
import type { AppContext } from '../../../context.ts';
import { AppError, isNetworkAway, isRefused } from '../../../errors.ts';
import { completeIntent, releaseIntent } from './complete-intent.ts';
import { abandonIntent, callOf, type Intent, renewIntent } from './intents.ts';
import { NetworkGivenUpError } from '../../../ic/agent/patience.ts';
import { type CallOutcome, isTooLate, type SignedCall } from '../../../ic/replies/call-outcome.ts';

/** How long a caller waits for a network that is being restarted; one whose client is patient waits in that. */
const PATIENCE_MS = 15_000;
const RETRY_MS = 500;

/**
 * Sends the call of a fresh intent and ends the intent by the answer.
 * @param complete books what the network has done
 * @returns the canister's id
 * @throws AppError network_rejected or install_failed when the network refused (nothing is booked), or
 * network_unavailable when it did not answer (the sweeper ends the intent later)
 */
export async function carryOutIntent(
  ctx: AppContext,
  intent: Intent,
  complete: typeof completeIntent = completeIntent,
): Promise<string> {
  let call = callOf(intent);
  const giveUpAt = performance.now() + PATIENCE_MS;
  let isFresh = true;
  let isOver = false;
  for (;;) {
    try {
      const sending = { isFresh };
      isFresh = false;
      const outcome = await ctx.ic.submit(call, sending);
      if (outcome.status === 'pending' || outcome.status === 'forgotten')
        throw new AppError('network_unavailable', 'The network has not finished the call in time.');
      if (outcome.status === 'again') call = await signPaymentAgain(ctx, intent.id, call);
      if (outcome.status === 'again' || outcome.status === 'expired' || outcome.status === 'uncertain')
        throw new AppError('network_unavailable', outcome.message);
      // It may still be taken as long as the certified state is older than its expiry, whatever the clock here says.
      if (outcome.status === 'unknown' && !isLost(ctx, call, outcome)) {
        isOver = call.ledgerTime === null && isTooLate(outcome, call);
        throw new AppError('network_unavailable', 'The network did not carry out the call in time.');
      }
      ctx.failpoint(`${intent.kind}.answered`);
      const ending =
        outcome.status === 'unknown'
          ? await releaseIntent(ctx, intent, 'The network did not carry out the call in time.')
          : await complete(ctx, intent, outcome);
      ctx.failpoint(`${intent.kind}.booked`);
      if (ending.done) return ending.canisterId;
      const code = intent.kind === 'install' ? 'install_failed' : 'network_rejected';
      throw new AppError(code, ending.reason, ending.detail === undefined ? {} : { detail: ending.detail });
    } catch (error) {
      if (!isNetworkAway(error)) throw error;
      if (isOver || error instanceof NetworkGivenUpError || performance.now() > giveUpAt) {
        throw await leftToSweeper(ctx, intent, error);
      }
      await delay(RETRY_MS);
    }
  }
}

/** Lets the sweeper end the intent. @returns what the caller is told */
async function leftToSweeper(ctx: AppContext, intent: Intent, cause: AppError): Promise<AppError> {
  await ctx.transact((tx) => abandonIntent(tx, intent.id));
  return new AppError(
    'network_unavailable',
    'The network did not answer. As soon as it is back, the action is finished or its cycles are given back.',
    { cause, detail: cause.detail ?? cause.message },
  );
}

/**
 * Does what comes before the call of an intent is sent.
 * @throws AppError network_rejected when the network refuses (the intent ends), or network_unavailable when it does not answer
 * (the sweeper goes on later)
 */
export async function prepareIntent<T>(
  ctx: AppContext,
  intent: Intent,
  prepare: () => Promise<T>,
): Promise<T> {
  try {
    return await prepare();
  } catch (error) {
    if (isNetworkAway(error)) throw await leftToSweeper(ctx, intent, error);
    if (isRefused(error)) await releaseIntent(ctx, intent, error.message);
    throw error;
  }
}

/**
 * Whether a call of which the network has no trace was never carried out and never will be: the certified state in which it was looked for
 * is of a moment after its expiry, when no network takes it any more, and not so long after that the network may have
 * forgotten it. A payment by a cycles ledger never is: an earlier message may have been carried out, and the ledger is asked for that.
 */
export function isLost(
  ctx: AppContext,
  call: SignedCall,
  outcome: Extract<CallOutcome, { status: 'unknown' }>,
): boolean {
  return (
    call.ledgerTime === null && isTooLate(outcome, call) && ctx.ic.wouldRemember(call.expiresAt, outcome.asOf)
  );
}

/**
 * The payment of an intent in a new message, for a cycles ledger that has not decided the last one. The ledger knows
 * the payment by its time, which stays, and carries it out once. The message is written down before it is sent.
 */
export async function signPaymentAgain(
  ctx: AppContext,
  intentId: string,
  call: SignedCall,
): Promise<SignedCall> {
  const next = await ctx.ic.signAgain(call);
  await ctx.transact((tx) => renewIntent(tx, intentId, next));
  return next;
}
