import { setTimeout as delay } from 'node:timers/promises';
import { utf8 } from '@cannery/ic/certification/bytes';
import { encodeCbor } from '@cannery/ic/certification/tree/cbor';
import type { IngressMessage } from '@cannery/replica/messages';
import type { Rejection } from '@cannery/ic/state-leaves';
import { authenticate, type Authorization, checkTarget, principalText } from '../identity/authentication.ts';
import { judgeFor } from '../identity/canister-signature.ts';
import type { ClientAddress } from '../transport/client-address.ts';
import type { CanisterContent, Envelope } from '../identity/envelope.ts';
import { checkExpiry } from '../identity/expiry.ts';
import { badRequest, tooLarge } from '../transport/request-error.ts';
import { type ApiRoute, parsePrincipal } from './route.ts';
import { cborReply, type HttpReply, type NetworkService } from './service.ts';

/** Longest ingress message of an application subnet (interface specification, "Resource limits"). */
const MAX_INGRESS_BYTES = 2 * 1024 * 1024;
/** How long a synchronous call waits for its answer before the client has to poll. */
const SYNC_WAIT_MILLIS = 10_000;
const CREATE_METHODS = new Set(['create_canister', 'provisional_create_canister_with_cycles']);
const ACCEPTED: HttpReply = { status: 202 };

/** Update calls: v2 only hands the call in, v3 and v4 also wait for the certified answer. */
export async function handleCall(
  service: NetworkService,
  route: ApiRoute,
  envelope: Envelope<CanisterContent>,
  bodyLength: number,
  address: ClientAddress,
): Promise<HttpReply> {
  const { content, requestId } = envelope;
  const now = service.now();
  const machineNow = service.machineNow?.() ?? now;
  checkExpiry(content.expiryNanos, now, machineNow);
  if (bodyLength > MAX_INGRESS_BYTES) {
    throw tooLarge(
      `Request is too large. Message byte size ${bodyLength} is larger than the max allowed ${MAX_INGRESS_BYTES}.`,
    );
  }
  const authorization = await authenticate(envelope, machineNow, judgeFor(service.certifier, address));
  checkTarget(authorization, content.canisterId);
  if (!service.isLoopback) refuseSignInByName(content);
  const admission = await service.engine.submit(ingressMessage(route, envelope, authorization, bodyLength));
  if (!admission.accepted && admission.malformed) throw badRequest(admission.message);
  if (!admission.accepted) return cborReply(encodeCbor(refusal(admission)));
  if (route.version === 2) return ACCEPTED;

  const patience = new AbortController();
  const finished = await Promise.race([
    service.state.finished(requestId).then(() => true),
    delay(SYNC_WAIT_MILLIS, false, { signal: patience.signal, ref: false }).catch(() => false),
  ]);
  patience.abort();
  if (!finished) return ACCEPTED;
  const certificate = await service.certifier.certificate([[utf8('request_status'), requestId]]);
  return cborReply(encodeCbor({ status: 'replied', certificate }));
}

/** The canister of Internet Identity, as text. */
export const SIGN_IN_CANISTER = 'rdmx6-jaaaa-aaaaa-aaadq-cai';
const SIGN_IN = parsePrincipal(SIGN_IN_CANISTER);
/** The method by which the one of a local network signs in without a secret. */
const SIGN_IN_BY_NAME = 'prepare_delegation_by_name';

/**
 * Throws `RequestError` 400 for a sign-in by a name alone: everybody could take it. This is decided where the network listens, with
 * each call, and not by what the canister was told once.
 */
function refuseSignInByName({ canisterId, method }: CanisterContent): void {
  if (method !== SIGN_IN_BY_NAME || Buffer.compare(canisterId, SIGN_IN) !== 0) return;
  throw badRequest('Accounts by name are for networks that only this computer reaches. Use a passkey.');
}

function ingressMessage(
  route: ApiRoute,
  { content, requestId }: Envelope<CanisterContent>,
  { callerInfo }: Authorization,
  bytes: number,
): IngressMessage {
  const { sender, canisterId, method, arg, expiryNanos } = content;
  // Copies: a view would take the whole request along to the engine's thread.
  return {
    requestId: new Uint8Array(requestId),
    sender: new Uint8Array(sender),
    canisterId: new Uint8Array(canisterId),
    effectiveCanisterId: effectiveCanisterId(route, content),
    method,
    arg: new Uint8Array(arg),
    bytes,
    ...(callerInfo && { callerInfo }),
    expiryNanos,
  };
}

/** Throws `RequestError` 400 when the address in the URL does not fit the call. */
function effectiveCanisterId(route: ApiRoute, { canisterId, method }: CanisterContent): Uint8Array {
  const isManagement = canisterId.length === 0;
  if (route.scope === 'subnet') {
    if (isManagement && CREATE_METHODS.has(method)) return canisterId;
    throw badRequest('Calls to a subnet can only create canisters; send this call to the canister');
  }
  if (!isManagement) checkAddress(canisterId, route.target);
  return route.target;
}

/** Throws `RequestError` 400 unless the canister in the content is the one in the URL. */
export function checkAddress(canisterId: Uint8Array, target: Uint8Array): void {
  if (Buffer.compare(canisterId, target) === 0) return;
  throw badRequest(
    `Specified CanisterId ${principalText(canisterId)} does not match effective canister id in URL ${principalText(target)}`,
  );
}

function refusal({ rejectCode, message, errorCode }: Rejection): Record<string, unknown> {
  return {
    status: 'non_replicated_rejection',
    reject_code: rejectCode,
    reject_message: message,
    error_code: errorCode,
  };
}
