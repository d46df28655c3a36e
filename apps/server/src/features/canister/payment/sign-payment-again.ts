import type { AppContext } from '../../../context.ts';
import type { SignedCall } from '../../../ic/replies/call-outcome.ts';
import { renewIntent } from './intents.ts';

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
