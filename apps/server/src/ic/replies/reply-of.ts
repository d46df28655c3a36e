import { AppError } from '../../errors.ts';
import type { CallOutcome } from './call-outcome.ts';
import { RejectedError, type RejectedCode } from './ic-errors.ts';

/**
 * The reply to a call that was to be carried out.
 * @throws AppError `rejectedAs` in the network's words for one that was refused, network_unavailable where nobody knows what became of it
 */
export function replyOf(outcome: CallOutcome, rejectedAs: RejectedCode = 'network_rejected'): Uint8Array {
  if (outcome.status === 'replied') return outcome.reply;
  if (outcome.status === 'rejected' && outcome.reject !== undefined) {
    const { message, detail = message, reject } = outcome;
    throw new RejectedError(rejectedAs, { message, detail, reject });
  }
  if (outcome.status === 'rejected') throw new AppError(rejectedAs, outcome.message);
  const message = 'message' in outcome ? outcome.message : 'The network did not answer the call in time.';
  throw new AppError('network_unavailable', message);
}
