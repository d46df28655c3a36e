import type { ReplicaError } from '../errors.ts';
import { MAX_REJECT_MESSAGE_BYTES } from '../limits.ts';
import type { Outcome } from '../messages.ts';
import { idKey } from '../state/canister-id.ts';
import type { Origin } from '../state/message.ts';
import type { Transaction } from '../state/transaction.ts';
import type { Response } from '../system-api/message-context.ts';

const CANISTER_REJECT = 4;
/** The replica's code for a reject the canister made itself. */
const CANISTER_REJECTED = 'IC0406';

/** Brings the answer of a call to whoever waits for it; `refund` goes back with it, nothing if nobody can take it. */
export function respond(tx: Transaction, origin: Origin, outcome: Outcome, refund: bigint): void {
  if (origin.kind === 'ingress') {
    const request = tx.state.requests.get(idKey(origin.requestId));
    if (request) tx.setRequest(request, outcome);
  } else if (origin.kind === 'canister') {
    tx.enqueue(origin.canister, { kind: 'response', callback: origin.callback, outcome, refund });
  }
}

/** Shows that a call has begun and is not answered yet. */
export function markProcessing(tx: Transaction, origin: Origin): void {
  if (origin.kind !== 'ingress') return;
  const request = tx.state.requests.get(idKey(origin.requestId));
  if (request && !request.finished) tx.setRequest(request, { status: 'processing' });
}

export function rejectionOutcome(error: ReplicaError): Outcome {
  return { status: 'rejected', ...error.rejection() };
}

/** The outcome of a call the canister answered itself. */
export function responseOutcome(response: Response): Outcome {
  if (response.kind === 'reply') return { status: 'replied', reply: response.data };
  return {
    status: 'rejected',
    rejectCode: CANISTER_REJECT,
    errorCode: CANISTER_REJECTED,
    message: response.message.slice(0, MAX_REJECT_MESSAGE_BYTES),
  };
}
