import { IDL } from '@icp-sdk/core/candid';
import { replicaErrors } from '@cannery/ic/errors';
import { rejectionOutcome, respond } from '../../execution/respond.ts';
import type { Outcome } from '@cannery/ic/state-leaves';
import { sameId } from '../../state/canister-id.ts';
import type { Outcall, OutcallMethod } from '../../state/outcall.ts';
import type { Transaction } from '../../state/transaction.ts';
import { type IcMethods, type IcTypes, icTypes } from '@cannery/ic/generated/ic-interface';
import { ANSWERED_LATER, type ManagementCall, managementMethod, principal } from '../method/method.ts';
import {
  checkMessage,
  checkUrl,
  headersBytes,
  MAX_OUTCALLS_IN_FLIGHT,
  responseLimit,
  tooManyOutcalls,
} from './outcall-limits.ts';

const METHODS = {
  get: 'GET',
  head: 'HEAD',
  post: 'POST',
  put: 'PUT',
  delete: 'DELETE',
  patch: 'PATCH',
} as const satisfies Record<string, OutcallMethod>;
/** These may change what they are sent to, so only one replica may send them. */
const SINGLE_ONLY: ReadonlySet<OutcallMethod> = new Set(['PUT', 'DELETE', 'PATCH']);

function methodOf({ method, is_replicated: [replicated] }: IcMethods['http_request']['arg']): OutcallMethod {
  const [name] = Object.keys(method) as (keyof typeof METHODS)[];
  const wanted = METHODS[name ?? 'get'];
  if (SINGLE_ONLY.has(wanted) && replicated !== false) {
    throw replicaErrors.refused(
      `The HTTP method ${wanted} is only supported in non-replicated mode (is_replicated = opt false).`,
    );
  }
  return wanted;
}

function transformOf(
  call: ManagementCall,
  { transform: [transform] }: IcMethods['http_request']['arg'],
): Outcall['transform'] {
  if (!transform) return undefined;
  const [owner, method] = transform.function;
  if (!sameId(owner.toUint8Array(), call.sender)) {
    throw replicaErrors.refused(
      `transform principal id expected to be ${principal(call.sender).toText()}, got ${owner.toText()}`,
    );
  }
  return { method, context: transform.context };
}

/** What the request costs by its size: URL, headers, body, and name and context of the transform function. */
function requestBytes({ url, headers, body, transform }: Omit<Outcall, 'refund'>): number {
  const transformed = transform ? Buffer.byteLength(transform.method) + transform.context.length : 0;
  return Buffer.byteLength(url) + headersBytes(headers) + body.length + transformed;
}

/** Takes the fee from the cycles of the call. */
function pay(call: ManagementCall, outcall: Omit<Outcall, 'refund'>): void {
  const { env, tx } = call;
  const fee = env.fees.httpRequest(BigInt(requestBytes(outcall)), BigInt(outcall.maxResponseBytes));
  if (call.cycles < fee) throw replicaErrors.tooFewCyclesSent('http_request', call.cycles, fee);
  call.cycles -= fee;
  const payer = env.state.find(call.sender);
  if (!payer) return;
  tx.edit(payer).consumed.httpOutcalls += fee;
  tx.saveProgress(payer);
}

export const httpRequest = managementMethod({
  name: 'http_request',
  callers: { kind: 'canisters' },
  run(call, arg) {
    const { env, tx, origin, sender } = call;
    if (env.httpOutcalls === 'off') throw replicaErrors.notEnabled();
    const [body = new Uint8Array(0)] = arg.body;
    const transform = transformOf(call, arg);
    checkUrl(arg.url);
    checkMessage(arg.headers, body);
    if (env.state.outcalls.size >= MAX_OUTCALLS_IN_FLIGHT) throw tooManyOutcalls();
    const outcall = {
      id: env.state.newSequence(),
      origin,
      canister: sender,
      url: arg.url,
      method: methodOf(arg),
      headers: arg.headers,
      body,
      maxResponseBytes: responseLimit(arg.max_response_bytes),
      transform,
    };
    pay(call, outcall);
    tx.addOutcall({ ...outcall, refund: call.cycles });
    return ANSWERED_LATER;
  },
});

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
