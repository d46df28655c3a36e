import { AppError } from '../../errors.ts';
import type { CallOutcome } from './call-outcome.ts';
import { RejectedError, type RejectedCode } from './ic-errors.ts';

/** The reply to a call that was to be carried out. @throws AppError `rejectedAs` in the network's words for any other outcome */
export function replyOf(outcome: CallOutcome, rejectedAs: RejectedCode = 'network_rejected'): Uint8Array {
  if (outcome.status === 'replied') return outcome.reply;
  if (outcome.status === 'rejected' && outcome.reject !== undefined) {
    const { message, detail = message, reject } = outcome;
    throw new RejectedError(rejectedAs, { message, detail, reject });
  }
  throw new AppError(
    rejectedAs,
    'message' in outcome ? outcome.message : 'The network did not answer the call in time.',
  );
}
