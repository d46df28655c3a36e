import { ReplicaError, replicaErrors } from '@cannery/ic/errors';
import { MAX_CROSS_SUBNET_CALL_BYTES } from '@cannery/ic/limits';
import type { Environment, ManagementQuery } from '../execution/environment.ts';
import { markProcessing, rejectionOutcome, respond } from '../execution/respond.ts';
import { chargeLater, paysLater } from '../execution/ingress.ts';
import { chargeRent } from '../execution/rent.ts';
import type { IngressMessage, QueryMessage, QueryResult } from '../messages.ts';
import type { Outcome } from '@cannery/ic/state-leaves';
import type { Canister } from '../state/canister.ts';
import { type IdKey, idKey, sameId } from '../state/canister-id.ts';
import { areApart } from '../state/id-range.ts';
import type { Message, RequestMessage } from '../state/message.ts';
import { mayMakeCycles } from '../state/provisional.ts';
import type { Transaction } from '../state/transaction.ts';
import { StoreDamagedError } from '@cannery/store/files/errors';
import {
  ANSWERED_LATER,
  canisterOf,
  type ManagementCall,
  type ManagementMethod,
  requireCaller,
} from './method/method.ts';
import { MANAGEMENT_METHODS } from './table.ts';

function find(name: string): ManagementMethod {
  const method = MANAGEMENT_METHODS.get(name);
  if (!method) throw replicaErrors.unknownManagementMethod(name);
  return method;
}

/**
 * The canister the call is about, if it is about one. Throws when the sender may not call the method on it, or it is
 * missing.
 */
function authorize(
  env: Environment,
  method: ManagementMethod,
  arg: unknown,
  sender: Uint8Array,
): Canister | undefined {
  if (method.callers.kind === 'provisional' && !mayMakeCycles(env.provisional, sender)) {
    throw replicaErrors.provisionalRefused(method.name);
  }
  const id = method.target(arg);
  if (!id) return undefined;
  const target = canisterOf(env, id);
  requireCaller(method, target, sender);
  return target;
}

/** Throws `misaddressed` when the canister the argument is about is not the one the message was sent to. */
function checkAddress(method: ManagementMethod, arg: unknown, effectiveCanisterId: Uint8Array): void {
  const target = method.target(arg);
  if (target && !sameId(target, effectiveCanisterId))
    throw replicaErrors.misaddressed(target, effectiveCanisterId);
}

/** A call about a canister of another subnet goes there, as any other call. */
function checkSize({ idRanges }: Environment, request: RequestMessage, target: Canister): void {
  const bytes = Buffer.byteLength(request.method) + request.arg.length;
  if (request.origin.kind !== 'canister' || bytes <= MAX_CROSS_SUBNET_CALL_BYTES) return;
  if (areApart(idRanges, request.caller, target.id))
    throw replicaErrors.tooLargeForOtherSubnet(request.caller, bytes, MAX_CROSS_SUBNET_CALL_BYTES);
}

/** A canister that states its version in the argument must state the one it had when it made the call. */
function checkSenderVersion({ callerVersion }: RequestMessage, arg: unknown): void {
  const [claimed] =
    (arg as { sender_canister_version?: [] | [bigint] } | undefined)?.sender_canister_version ?? [];
  if (claimed === undefined || callerVersion === undefined) return;
  // The version went up by one with the message that sent the call.
  const actual = callerVersion - 1n;
  if (claimed !== actual) throw replicaErrors.senderVersion(claimed, actual);
}

/**
 * Throws `ReplicaError` when an ingress message to the management canister is not to be taken in. Returns the canister
 * that pays for it, unless that is free or paid for later.
 */
export function admitManagement(env: Environment, message: IngressMessage): Canister | undefined {
  const method = find(message.method);
  if (method.callers.kind === 'canisters') throw replicaErrors.onlyCanisters(method.name);
  if (method.query === 'only') throw replicaErrors.onlyQuery(method.name);
  const arg = method.decode(message.arg);
  checkAddress(method, arg, message.effectiveCanisterId);
  const target = authorize(env, method, arg, message.sender);
  return paysLater(method.name, message.arg) ? undefined : target;
}

/** The canister a call of the management canister is about, if it can be made out. */
export function managementTarget(message: Message): IdKey | undefined {
  if (message.kind !== 'request') return undefined;
  try {
    const method = find(message.method);
    const target = method.target(method.decode(message.arg));
    return target && idKey(target);
  } catch (error) {
    if (error instanceof ReplicaError) return undefined;
    throw error;
  }
}

/** Whether a call of the management canister has to wait for the next round. */
export function waitsForRound(message: Message): boolean {
  return message.kind === 'request' && MANAGEMENT_METHODS.get(message.method)?.nextRound === true;
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
  let target: Canister | undefined;
  try {
    const method = find(request.method);
    if (method.query === 'only') throw replicaErrors.onlyQuery(method.name);
    const arg = method.decode(request.arg);
    checkSenderVersion(request, arg);
    target = authorize(env, method, arg, request.caller);
    if (target) checkSize(env, request, target);
    if (target) chargeRent(env, tx, target);
    const result = method.run(call, arg);
    if (result === ANSWERED_LATER) {
      markProcessing(tx, request.origin);
      return;
    }
    respond(tx, request.origin, { status: 'replied', reply: method.encode(result) }, call.cycles);
  } catch (error) {
    respond(tx, request.origin, rejectionOutcome(refusalOf(error)), request.cycles);
  }
  const late = request.origin.kind === 'ingress' && paysLater(request.method, request.arg);
  if (target && late) chargeLater(env, tx, target, request);
}

/** Answers a query to the management canister. */
export function queryManagement(env: Environment, message: QueryMessage): QueryResult {
  try {
    return { status: 'replied', reply: answer(env, message) };
  } catch (error) {
    const refusal = refusalOf(error);
    return refusal.malformed ? { status: 'malformed', message: refusal.message } : rejectionOutcome(refusal);
  }
}

/** As `queryManagement`, for a call that a composite query makes. */
export function queryFromCanister(env: Environment, query: ManagementQuery): Outcome {
  try {
    // A node has the state of its own subnet only.
    const isNear = (target: Canister): boolean => !areApart(env.idRanges, query.sender, target.id);
    return { status: 'replied', reply: answer(env, query, isNear) };
  } catch (error) {
    return rejectionOutcome(refusalOf(error));
  }
}

/** Why a call was not carried out; rethrows errors of this program. */
function refusalOf(error: unknown): ReplicaError {
  if (error instanceof ReplicaError) return error;
  if (error instanceof StoreDamagedError) return replicaErrors.dataDamaged(error.fault);
  throw error;
}

function answer(
  env: Environment,
  query: ManagementQuery & Pick<QueryMessage, 'effectiveCanisterId'>,
  isThere: (target: Canister) => boolean = () => true,
): Uint8Array {
  const method = find(query.method);
  if (!method.query) throw replicaErrors.notManagementQuery(method.name);
  const arg = method.decode(query.arg);
  if (query.effectiveCanisterId) checkAddress(method, arg, query.effectiveCanisterId);
  const target = authorize(env, method, arg, query.sender);
  if (target && !isThere(target)) throw replicaErrors.canisterNotFound(target.id);
  return method.encode(method.read(env, arg));
}
