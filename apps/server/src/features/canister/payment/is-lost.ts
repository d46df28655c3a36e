import type { AppContext } from '../../../context.ts';
import type { SignedCall } from '../../../ic/replies/call-outcome.ts';

/**
 * Whether a call of which the network has no trace was never carried out and never will be: the certified state in which it was looked for
 * is of a moment after its expiry, when no network takes it any more, and not so long after that the network may have
 * forgotten it.
 */
export function isLost(ctx: AppContext, { expiresAt }: SignedCall, asOf: Date): boolean {
  return asOf > expiresAt && ctx.ic.wouldRemember(expiresAt, asOf);
}
