import { setTimeout as delay } from 'node:timers/promises';
import type { AppContext } from '../../context.ts';
import { AppError, isNetworkAway } from '../../errors.ts';
import { completeIntent, releaseIntent } from './complete-intent.ts';
import { type Intent, abandonIntent, callOf } from './intents.ts';
import { signPaymentAgain } from './sign-payment-again.ts';

/** How long a caller waits for a network that is being restarted. */
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
  const giveUpAt = Date.now() + PATIENCE_MS;
  for (;;) {
    try {
      const outcome = await ctx.ic.submit(call);
      if (outcome.status === 'pending')
        throw new AppError('network_unavailable', 'The network has not finished the call in time.');
      if (outcome.status === 'again') call = await signPaymentAgain(ctx, intent.id, call);
      if (outcome.status === 'again' || outcome.status === 'expired')
        throw new AppError('network_unavailable', outcome.message);
      // An earlier message of the payment may have been carried out; the sweeper asks the cycles ledger.
      if (outcome.status === 'unknown' && call.ledgerTime !== null)
        throw new AppError('network_unavailable', 'The network did not carry out the call in time.');
      ctx.reach(`${intent.kind}.answered`);
      const ending =
        outcome.status === 'unknown'
          ? await releaseIntent(ctx, intent, 'The network did not carry out the call in time.')
          : await complete(ctx, intent, outcome);
      ctx.reach(`${intent.kind}.booked`);
      if (ending.done) return ending.canisterId;
      const code = intent.kind === 'install' ? 'install_failed' : 'network_rejected';
      throw new AppError(code, ending.reason, ending.detail === undefined ? {} : { detail: ending.detail });
    } catch (error) {
      if (!isNetworkAway(error)) throw error;
      if (Date.now() > giveUpAt) {
        await ctx.transact((tx) => abandonIntent(tx, intent.id));
        throw new AppError(
          'network_unavailable',
          'The network did not answer. As soon as it is back, the action is finished or its cycles are given back.',
          { cause: error, detail: error.detail ?? error.message },
        );
      }
      await delay(RETRY_MS);
    }
  }
}
