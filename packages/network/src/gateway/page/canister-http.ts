import { randomBytes } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { hashOfMap } from '@cannery/ic/certification/signatures/representation-hash';
import type { NetworkService } from '../../http/endpoints/service.ts';
import type { StateStamp } from '@cannery/replica/messages';
import type { Outcome, Rejection } from '@cannery/ic/state-leaves';

/** The canister, or the network on its behalf, refused to answer. */
export class CanisterRejectedError extends Error {
  override readonly name = 'CanisterRejectedError';
  readonly rejection: Rejection;

  constructor(rejection: Rejection) {
    super(rejection.message);
    this.rejection = rejection;
  }
}

/** The update call a request was turned into has not ended; it may still take effect. */
export class UpdateTimeoutError extends Error {
  override readonly name = 'UpdateTimeoutError';
}

const ANONYMOUS = Uint8Array.of(4);
const UPDATE_TTL_NANOS = 240_000_000_000n;
const UPDATE_WAIT_MILLIS = 240_000;

/** What a query came to, and of which state of its canister that is, see `Engine.isCurrent`. */
export interface StampedReply {
  readonly reply: Uint8Array;
  readonly stamp: StateStamp | undefined;
}

/** The reply to a question for a page, which is the caller's. Throws `CanisterRejectedError`. */
export async function askCanister(
  { queries }: NetworkService,
  canisterId: Uint8Array,
  arg: Uint8Array,
): Promise<StampedReply> {
  const message = { sender: ANONYMOUS, canisterId, method: 'http_request', arg, stamped: true };
  const outcome = await queries.run(message);
  return { reply: replyOf(outcome), stamp: outcome.stamp };
}

/** The reply of a query method, which is the caller's. Throws `CanisterRejectedError`. */
export async function queryCanister(
  { queries }: NetworkService,
  canisterId: Uint8Array,
  method: string,
  arg: Uint8Array,
): Promise<Uint8Array> {
  return replyOf(await queries.run({ sender: ANONYMOUS, canisterId, method, arg }));
}

/** The reply of `http_request_update`, which is the caller's. Throws `CanisterRejectedError` or `UpdateTimeoutError`. */
export async function updateCanister(
  service: NetworkService,
  canisterId: Uint8Array,
  arg: Uint8Array,
): Promise<Uint8Array> {
  const method = 'http_request_update';
  const expiryNanos = service.now() + UPDATE_TTL_NANOS;
  const requestId = hashOfMap({
    request_type: 'call',
    sender: ANONYMOUS,
    nonce: randomBytes(16),
    ingress_expiry: expiryNanos,
    canister_id: canisterId,
    method_name: method,
    arg,
  });
  const message = {
    requestId,
    sender: ANONYMOUS,
    canisterId,
    effectiveCanisterId: canisterId,
    method,
    arg,
    bytes: arg.length,
    expiryNanos,
  };
  const admission = await service.engine.submit(message);
  if (!admission.accepted) throw new CanisterRejectedError(admission);
  const patience = new AbortController();
  await Promise.race([
    service.state.finished(requestId),
    delay(UPDATE_WAIT_MILLIS, undefined, { signal: patience.signal, ref: false }).catch(() => undefined),
  ]);
  patience.abort();
  const status = service.state.request(requestId)?.status;
  // The state keeps the reply for who asks for its status.
  if (status?.status === 'replied' || status?.status === 'rejected') return replyOf(status).slice();
  throw new UpdateTimeoutError(`http_request_update has not answered within ${UPDATE_WAIT_MILLIS / 1000} s`);
}

function replyOf(outcome: Outcome): Uint8Array {
  if (outcome.status === 'replied') return outcome.reply;
  throw new CanisterRejectedError(outcome);
}
