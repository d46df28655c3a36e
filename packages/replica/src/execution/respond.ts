import type { ReplicaError } from '@cannery/ic/errors';
import { MAX_REJECT_MESSAGE_BYTES } from '@cannery/ic/limits';
import type { Outcome } from '@cannery/ic/state-leaves';
import { idKey } from '../state/canister-id.ts';
import type { Origin } from '../state/message.ts';
import type { Transaction } from '../state/transaction.ts';
import type { Response } from '../system-api/message-context.ts';

const CANISTER_REJECT = 4;
/** The replica's code for a reject the canister made itself. */
const CANISTER_REJECTED = 'IC0406';
const DID_NOT_REPLY = 'IC0506';
const ELLIPSIS = '...';

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

/**
 * The outcome of a call that failed in the canister that was called. A caller that is a canister reads the code in the
 * text, as it gets no other (`Payload::from` in dfinity/ic `rs/types/types/src/messages/inter_canister.rs`), and hears
 * of a missing answer only that there was none (`action_to_request_response` in
 * `rs/execution_environment/src/execution/common.rs`).
 */
export function failureOutcome(origin: Origin, error: ReplicaError): Outcome {
  if (origin.kind !== 'canister') return rejectionOutcome(error);
  const { errorCode, message } = error;
  const text = errorCode === DID_NOT_REPLY ? 'No response' : `${errorCode}: ${message}`;
  return { ...error.rejection(), status: 'rejected', message: shortened(text) };
}

/** A reject message in the size that is allowed (`RejectContext::new`): the middle gives way. */
function shortened(text: string): string {
  const bytes = Buffer.from(text);
  if (bytes.length <= MAX_REJECT_MESSAGE_BYTES) return text;
  const room = MAX_REJECT_MESSAGE_BYTES - ELLIPSIS.length;
  const head = Math.floor((room * 3) / 4);
  const isInside = (at: number): boolean => ((bytes[at] ?? 0) & 0xc0) === 0x80;
  let end = head;
  while (end > 0 && isInside(end)) end -= 1;
  let start = bytes.length - (room - head);
  while (start < bytes.length && isInside(start)) start += 1;
  return `${bytes.toString('utf8', 0, end)}${ELLIPSIS}${bytes.toString('utf8', start)}`;
}

/** The outcome of a call the canister answered itself. */
export function responseOutcome(response: Response): Outcome {
  if (response.kind === 'reply') return { status: 'replied', reply: response.data };
  return {
    status: 'rejected',
    rejectCode: CANISTER_REJECT,
    errorCode: CANISTER_REJECTED,
    message: shortened(response.message),
  };
}
