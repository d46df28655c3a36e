import { IDL } from '@icp-sdk/core/candid';
import { replicaErrors } from '../../errors.ts';
import { rejectionOutcome, respond } from '../../execution/respond.ts';
import type { Outcome } from '../../messages.ts';
import type { Transaction } from '../../state/transaction.ts';
import { type IcTypes, icTypes } from '../generated/ic-interface.ts';

/** Answers the call that asked for an HTTP request; does nothing when it has been answered. */
export function finishOutcall(tx: Transaction, id: number, outcome: Outcome): void {
  const outcall = tx.state.outcalls.get(id);
  if (!outcall) return;
  tx.removeOutcall(id);
  respond(tx, outcall.origin, outcome, outcall.refund);
}

/** Answers the calls whose requests were under way when the network last stopped: nobody knows what became of them. */
export function rejectLostOutcalls(tx: Transaction): void {
  const lost = rejectionOutcome(replicaErrors.outcallFailed('transient', 'Canister http request timed out'));
  for (const id of tx.state.outcalls.keys()) finishOutcall(tx, id, lost);
}

export function encodeHttpResponse(response: IcTypes['http_request_result']): Uint8Array {
  return new Uint8Array(IDL.encode([icTypes.http_request_result], [response]));
}

export function encodeTransformArg(
  response: IcTypes['http_request_result'],
  context: Uint8Array,
): Uint8Array {
  return new Uint8Array(IDL.encode([icTypes.http_transform_args], [{ response, context }]));
}
