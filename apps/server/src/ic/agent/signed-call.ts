import { randomBytes } from 'node:crypto';
import {
  Cbor,
  Certificate,
  Endpoint,
  Expiry,
  type HttpAgent,
  type Identity,
  JSON_KEY_EXPIRY,
  requestIdOf,
  SubmitRequestType,
} from '@icp-sdk/core/agent';
import { Principal } from '@icp-sdk/core/principal';
import { AppError, isRefused } from '../../errors.ts';
import type { NetworkTime } from '../../network/network-time.ts';
import type { NodeAgent } from './boundary-nodes.ts';
import type { PaidCall } from '../management/funding.ts';
import {
  type CallOutcome,
  type FinalOutcome,
  isTooLate,
  type Refusal,
  type SignedCall,
} from '../replies/call-outcome.ts';
import { certifiedTime, leafIn } from './certified.ts';
import { cutText, NETWORK_AWAY, toAppError, wordRejection } from '../replies/ic-errors.ts';
import { verifyCertificate } from './signature-thread.ts';

/** Below the five minutes that the network accepts at most, to leave room for clock differences. */
export const LIFETIME_MS = 4 * 60_000;
const POLL_MS = 250;
const MISTIMED =
  "The network's time was set, or this server's clock, just as the call was signed, and the call was refused. Try again.";
/** No request is taken for longer than five minutes (interface specification, ingress_expiry). */
const MOST_WAITING_MS = 5 * 60_000;
const SUBMIT_TIMEOUT_MS = 30_000;

/**
 * Signs a call and computes its request id, so that it can be written down before it is sent.
 * @param options.nonce 16 bytes; the same call with the same nonce and expiry has the same request id
 * @param options.expiresAt by the time of the network, such as `LIFETIME_MS` from `AgentSource.now`
 */
export async function signCall(
  identity: Identity,
  call: PaidCall,
  { nonce = randomBytes(16), expiresAt }: { nonce?: Uint8Array; expiresAt: Date },
): Promise<SignedCall> {
  const expiry = expiryAt(expiresAt);
  const content = {
    request_type: SubmitRequestType.Call as const,
    canister_id: Principal.fromText(call.canisterId),
    method_name: call.method,
    arg: call.arg,
    sender: identity.getPrincipal(),
    ingress_expiry: expiry,
    nonce: Object.assign(new Uint8Array(nonce), { __nonce__: undefined }),
  };
  const signed = (await identity.transformRequest({
    endpoint: Endpoint.Call,
    request: {},
    body: content,
  })) as { body: { content: Record<string, unknown> } };
  return {
    requestId: Buffer.from(requestIdOf(signed.body.content)).toString('hex'),
    envelope: Cbor.encode(signed.body),
    effectiveCanisterId: call.effectiveCanisterId,
    expiresAt: new Date(Number(expiry.toBigInt() / 1_000_000n)),
    ledgerTime: call.ledgerTime ?? null,
    isRepetition: false,
  };
}

function expiryAt(moment: Date): Expiry {
  return Expiry.fromJSON(JSON.stringify({ [JSON_KEY_EXPIRY]: `${moment.getTime()}000000` }));
}

/** What a signed call asks for, to be signed again or to read its reply. */
export function paidCallOf(call: SignedCall): PaidCall {
  const { content } = Cbor.decode<{
    content: { canister_id: Uint8Array; method_name: string; arg: Uint8Array };
  }>(call.envelope);
  return {
    canisterId: Principal.fromUint8Array(content.canister_id).toText(),
    method: content.method_name,
    arg: content.arg,
    effectiveCanisterId: call.effectiveCanisterId,
    ...(call.ledgerTime === null ? {} : { ledgerTime: call.ledgerTime }),
  };
}

/**
 * Sends a signed call and waits until the network has certified its outcome. Sending the same call again is safe; one that has expired is
 * not sent, since a refusal at the door would say nothing of what became of it before.
 * @param options.time of the network
 * @param options.waitMs when to stop waiting, with the outcome `pending`; when the call expires where not given
 * @param options.isFirst whether it was never sent before: then a refusal at the door, because the network's time was set ahead since it was
 * signed, is its outcome
 * @param options.onRefused told when such a first sending is refused at the door: whoever begins again still sends it first
 * @throws AppError network_unavailable when the outcome is not known; it may still happen
 */
export async function submitCall(
  agent: NodeAgent,
  call: SignedCall,
  {
    time,
    waitMs = call.expiresAt.getTime() - time.now(),
    isFirst = false,
    onRefused,
  }: { time: NetworkTime; waitMs?: number; isFirst?: boolean; onRefused?: () => void },
): Promise<CallOutcome> {
  if (!isFirst && time.now() >= call.expiresAt.getTime()) return readOutcome(agent, call);
  let isElsewhere = false;
  const onRepeat = (): void => {
    isElsewhere = true;
  };
  const response = await send(agent, call, onRepeat);
  const saysSo = (refusal: Refusal): Refusal | undefined => (isElsewhere ? undefined : refusal);
  if (response.status >= 500)
    throw new AppError('network_unavailable', NETWORK_AWAY, { detail: `HTTP ${response.status}` });
  const bytes = new Uint8Array(await response.arrayBuffer());
  if (response.status >= 400) {
    if (isFirst && !isElsewhere) onRefused?.();
    const message = isTimely(call, time) ? cutText(Buffer.from(bytes).toString('utf8')) : MISTIMED;
    return afterRefusal(agent, call, { refusal: saysSo({ message }), isFirst, waitMs });
  }
  const answer = bytes.length === 0 ? undefined : Cbor.decode<Record<string, unknown>>(bytes);
  if (answer?.status === 'non_replicated_rejection') {
    const { reject_message, reject_code, error_code } = answer;
    const errorCode = typeof error_code === 'string' ? error_code : undefined;
    const refusal = wordRejection(String(reject_message), Number(reject_code), errorCode);
    return afterRefusal(agent, call, { refusal: saysSo(refusal), isFirst, waitMs });
  }
  if (answer?.certificate instanceof Uint8Array && agent.rootKey !== null) {
    const certificate = await Certificate.create({
      certificate: answer.certificate,
      rootKey: agent.rootKey,
      principal: { canisterId: Principal.fromText(call.effectiveCanisterId) },
      blsVerify: verifyCertificate,
      agent,
    });
    const outcome = outcomeIn(certificate, Buffer.from(call.requestId, 'hex'));
    if (isFinal(outcome)) return outcome;
  }
  return waitForOutcome(agent, call, waitMs);
}

/**
 * What became of a call that was refused without a trace: at the door (malformed, expired, too many), or by the one node that looked at it.
 * That is the outcome of what was never sent before. An earlier sending may have reached the network and show only in a moment.
 * @param options.refusal undefined where another node may have taken the call a moment ago: it is still on its way then
 */
async function afterRefusal(
  agent: HttpAgent,
  call: SignedCall,
  { refusal, isFirst, waitMs }: { refusal: Refusal | undefined; isFirst: boolean; waitMs: number },
): Promise<CallOutcome> {
  const outcome = await readOutcome(agent, call);
  if (outcome.status === 'pending') return waitForOutcome(agent, call, waitMs);
  if (outcome.status !== 'unknown' || refusal === undefined) return outcome;
  return isFirst ? { status: 'rejected', ...refusal } : { ...outcome, refusal };
}

/** Whether a call expires when the network's time allows it. */
function isTimely({ expiresAt }: SignedCall, time: NetworkTime): boolean {
  const left = expiresAt.getTime() - time.now();
  return left >= 0 && left <= MOST_WAITING_MS;
}

/**
 * The options of `submitCall` for one sending of a call after another.
 * @param isFresh whether nobody sent it before
 */
export function sendings(
  time: NetworkTime,
  isFresh: boolean,
): () => { time: NetworkTime; isFirst: boolean; onRefused: () => void } {
  let isFirst = isFresh;
  const onRefused = (): void => {
    isFirst = true;
  };
  return () => {
    const options = { time, isFirst, onRefused };
    isFirst = false;
    return options;
  };
}

async function send({ nodes }: NodeAgent, call: SignedCall, onRepeat: () => void): Promise<Response> {
  const request = {
    method: 'POST',
    headers: { 'content-type': 'application/cbor' },
    body: Buffer.from(call.envelope),
  };
  const address = `${nodes.host}/api/v4/canister/${call.effectiveCanisterId}/call`;
  try {
    return await nodes.fetch(address, request, { timeoutMs: SUBMIT_TIMEOUT_MS, onRepeat });
  } catch (error) {
    throw toAppError(error);
  }
}

async function waitForOutcome(agent: HttpAgent, call: SignedCall, waitMs: number): Promise<CallOutcome> {
  // Measured once: the clock may be put back by hours while this waits.
  const giveUpAt = performance.now() + Math.min(MOST_WAITING_MS, waitMs);
  for (;;) {
    const isLast = performance.now() > giveUpAt;
    const outcome = await readOutcome(agent, call).catch((error: unknown) => {
      // The question was refused, which says nothing of the call.
      if (isLast || !isRefused(error)) throw error;
      return undefined;
    });
    if (outcome !== undefined && (isLast || isFinal(outcome) || isTooLate(outcome, call))) return outcome;
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
  }
}

/** The certified outcome of a call so far. */
export async function readOutcome(
  agent: HttpAgent,
  call: Pick<SignedCall, 'requestId' | 'effectiveCanisterId'>,
): Promise<CallOutcome> {
  const requestId = Buffer.from(call.requestId, 'hex');
  try {
    const { verifiedCertificate } = await agent.readState(
      { canisterId: Principal.fromText(call.effectiveCanisterId) },
      { paths: [[Buffer.from('request_status'), requestId]], blsVerify: verifyCertificate },
    );
    return outcomeIn(verifiedCertificate, requestId);
  } catch (error) {
    throw toAppError(error);
  }
}

function isFinal(outcome: CallOutcome): outcome is FinalOutcome {
  return outcome.status === 'replied' || outcome.status === 'rejected';
}

function outcomeIn(certificate: Certificate, requestId: Uint8Array): CallOutcome {
  const field = (name: string): Uint8Array | undefined =>
    leafIn(certificate, ['request_status', requestId, name]);
  const text = (bytes: Uint8Array | undefined): string => Buffer.from(bytes ?? []).toString('utf8');
  const status = text(field('status'));
  if (status === 'replied') return { status: 'replied', reply: field('reply') ?? new Uint8Array() };
  if (status === 'received' || status === 'processing') return { status: 'pending' };
  if (status === 'done') return { status: 'forgotten' };
  if (status !== 'rejected') return { status: 'unknown', asOf: certifiedTime(certificate) };
  const [rejectCode = 0] = field('reject_code') ?? [];
  const errorCode = field('error_code');
  const words = wordRejection(
    text(field('reject_message')),
    rejectCode,
    errorCode === undefined ? undefined : text(errorCode),
  );
  return { status: 'rejected', ...words };
}
