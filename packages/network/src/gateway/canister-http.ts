import { randomBytes } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { equalBytes } from '../certification/bytes.ts';
import { hashOfMap } from '../certification/representation-hash.ts';
import type { NetworkService } from '../http/service.ts';
import type { Outcome, Rejection } from '../messages.ts';
import { CandidFormatError } from './candid-error.ts';
import {
  type CanisterHttpRequest,
  decodeHttpResponse,
  decodeStreamedChunk,
  encodeHttpRequest,
  type StreamingCallback,
} from './http-messages.ts';
import type { CompleteResponse } from './verify-response.ts';

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

/** A response and how far it can be trusted: the answer of an update call needs no certificate of its own. */
export interface CanisterAnswer {
  readonly response: CompleteResponse;
  readonly isUpdate: boolean;
}

const ANONYMOUS = Uint8Array.of(4);
const UPDATE_TTL_NANOS = 240_000_000_000n;
const UPDATE_WAIT_MILLIS = 240_000;
/** Longest body that is put together from streamed pieces. */
const MAX_STREAMED_BYTES = 512 * 1024 * 1024;

/**
 * Asks a canister for a page: `http_request`, then `http_request_update` if the canister wants that, then the
 * streaming callback for the rest of the body. Throws `CanisterRejectedError`, `UpdateTimeoutError` or `CandidFormatError`.
 */
export async function askCanister(
  service: NetworkService,
  canisterId: Uint8Array,
  request: CanisterHttpRequest,
): Promise<CanisterAnswer> {
  const first = decodeHttpResponse(
    await query(service, canisterId, 'http_request', encodeHttpRequest(request, 'query')),
  );
  const answer = first.upgrade
    ? decodeHttpResponse(await update(service, canisterId, encodeHttpRequest(request, 'update')))
    : first;
  const body = answer.streaming
    ? await readStream(service, canisterId, answer.body, answer.streaming)
    : answer.body;
  return {
    response: { status: answer.status, headers: answer.headers, body },
    isUpdate: first.upgrade,
  };
}

async function query(
  { queries }: NetworkService,
  canisterId: Uint8Array,
  method: string,
  arg: Uint8Array,
): Promise<Uint8Array> {
  return replyOf(await queries.run({ sender: ANONYMOUS, canisterId, method, arg }));
}

async function update(service: NetworkService, canisterId: Uint8Array, arg: Uint8Array): Promise<Uint8Array> {
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
  if (status?.status === 'replied' || status?.status === 'rejected') return replyOf(status);
  throw new UpdateTimeoutError(`http_request_update has not answered within ${UPDATE_WAIT_MILLIS / 1000} s`);
}

function replyOf(outcome: Outcome): Uint8Array {
  if (outcome.status === 'replied') return outcome.reply;
  throw new CanisterRejectedError(outcome);
}

async function readStream(
  service: NetworkService,
  canisterId: Uint8Array,
  start: Uint8Array,
  { canisterId: callbackCanister, method, arg }: StreamingCallback,
): Promise<Uint8Array> {
  if (!equalBytes(callbackCanister, canisterId)) {
    throw new CandidFormatError('the streaming callback belongs to another canister');
  }
  const parts = [start];
  let length = start.length;
  let next: Uint8Array | undefined = arg;
  while (next) {
    const chunk = decodeStreamedChunk(await query(service, canisterId, method, next));
    if (!chunk) break;
    parts.push(chunk.body);
    length += chunk.body.length;
    if (length > MAX_STREAMED_BYTES) throw new CandidFormatError('the streamed body is too long');
    next = chunk.nextArg;
  }
  return Buffer.concat(parts, length);
}
