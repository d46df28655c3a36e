import { ReplicaError, replicaErrors } from '../errors.ts';
import type { Environment } from '../execution/environment.ts';
import { markProcessing, rejectionOutcome, respond } from '../execution/respond.ts';
import type { IngressMessage, QueryMessage, QueryResult } from '../messages.ts';
import { sameId } from '../state/canister-id.ts';
import type { RequestMessage } from '../state/message.ts';
import type { Transaction } from '../state/transaction.ts';
import {
  ANSWERED_LATER,
  canisterOf,
  type ManagementCall,
  type ManagementMethod,
  requireCaller,
} from './method.ts';
import { MANAGEMENT_METHODS } from './table.ts';

function find(name: string): ManagementMethod {
  const method = MANAGEMENT_METHODS.get(name);
  if (!method) throw replicaErrors.unknownManagementMethod(name);
  return method;
}

/** Throws when the sender may not call the method on the target of `arg`, or the target is missing. */
function authorize(env: Environment, method: ManagementMethod, arg: unknown, sender: Uint8Array): void {
  const target = method.target(arg);
  if (target) requireCaller(method, canisterOf(env, target), sender);
}

/** Throws `misaddressed` when the canister the argument is about is not the one the message was sent to. */
function checkAddress(method: ManagementMethod, arg: unknown, effectiveCanisterId: Uint8Array): void {
  const target = method.target(arg);
  if (target && !sameId(target, effectiveCanisterId))
    throw replicaErrors.misaddressed(target, effectiveCanisterId);
}

/** Throws `ReplicaError` when an ingress message to the management canister is not to be taken in. */
export function admitManagement(env: Environment, message: IngressMessage): void {
  const method = find(message.method);
  if (method.callers.kind === 'canisters') throw replicaErrors.onlyCanisters(method.name);
  if (method.query === 'only') throw replicaErrors.onlyQuery(method.name);
  const arg = method.decode(message.arg);
  checkAddress(method, arg, message.effectiveCanisterId);
  authorize(env, method, arg, message.sender);
}

/** Carries out a call of the management canister and answers it; some methods answer later. */
export function executeManagement(env: Environment, tx: Transaction, request: RequestMessage): void {
  const call: ManagementCall = {
    env,
    tx,
    sender: request.caller,
    origin: request.origin,
    callerVersion: request.callerVersion,
    cycles: request.cycles,
  };
  try {
    const method = find(request.method);
    if (method.query === 'only') throw replicaErrors.onlyQuery(method.name);
    const arg = method.decode(request.arg);
    authorize(env, method, arg, request.caller);
    const result = method.run(call, arg);
    if (result === ANSWERED_LATER) {
      markProcessing(tx, request.origin);
      return;
    }
    respond(tx, request.origin, { status: 'replied', reply: method.encode(result) }, call.cycles);
  } catch (error) {
    if (!(error instanceof ReplicaError)) throw error;
    respond(tx, request.origin, rejectionOutcome(error), request.cycles);
  }
}

/** Answers a query to the management canister. */
export function queryManagement(env: Environment, message: QueryMessage): QueryResult {
  try {
    const method = find(message.method);
    if (!method.query) throw replicaErrors.notManagementQuery(method.name);
    const arg = method.decode(message.arg);
    if (message.effectiveCanisterId) checkAddress(method, arg, message.effectiveCanisterId);
    authorize(env, method, arg, message.sender);
    return { status: 'replied', reply: method.encode(method.read(env, arg)) };
  } catch (error) {
    if (!(error instanceof ReplicaError)) throw error;
    return error.malformed ? { status: 'malformed', message: error.message } : rejectionOutcome(error);
  }
}
