import { replicaErrors } from '@cannery/ic/errors';
import { executeCall } from '../execution/call.ts';
import type { Environment } from '../execution/environment.ts';
import { rejectionOutcome, respond } from '../execution/respond.ts';
import { executeResponse } from '../execution/response.ts';
import { settleStopping } from '../execution/stopping.ts';
import { executeTask } from '../execution/system-task.ts';
import { executeManagement } from '../management/dispatch.ts';
import { type IdKey, idKey, MANAGEMENT_KEY } from '../state/canister-id.ts';
import type { Message, RequestMessage } from '../state/message.ts';
import type { Transaction } from '../state/transaction.ts';

/** Carries out a message from the queue of `owner`. Throws `SliceExceeded` when it is to be done in another thread. */
export function executeMessage(env: Environment, tx: Transaction, owner: IdKey, message: Message): void {
  if (owner === MANAGEMENT_KEY) {
    if (message.kind === 'request' && !timedOut(tx, message)) executeManagement(env, tx, message);
    return;
  }
  const canister = tx.state.canisters.get(owner);
  if (!canister) return;
  if (message.kind === 'task') executeTask(env, tx, canister, message.task);
  else if (message.kind === 'response') executeResponse(env, tx, canister, message);
  else if (!timedOut(tx, message)) executeCall(env, tx, canister, message);
  settleStopping(tx, canister);
}

/**
 * A message that waited beyond its deadline is not carried out any more. The cycles of a bounded-wait call go back to
 * its caller, as the replica's refunds do (dfinity/ic `rs/replicated_state/src/canister_state/queues/refunds.rs`).
 */
function timedOut(tx: Transaction, message: RequestMessage): boolean {
  const { origin, deadline } = message;
  if (deadline > tx.timeNanos) return false;
  if (origin.kind === 'ingress') {
    respond(tx, origin, rejectionOutcome(replicaErrors.ingressTimeout(idKey(origin.requestId))), 0n);
    return true;
  }
  if (deadline === 0n) return false;
  respond(tx, origin, rejectionOutcome(replicaErrors.callTimeout()), message.cycles);
  return true;
}
