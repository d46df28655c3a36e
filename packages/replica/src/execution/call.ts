import { ReplicaError, replicaErrors } from '@cannery/ic/errors';
import { MAX_REPLY_BYTES } from '@cannery/ic/limits';
import { type CallContext, type WorkingContext, workingContext } from '../state/call-context.ts';
import type { Canister } from '../state/canister.ts';
import { type IdKey, idKey } from '../state/canister-id.ts';
import type { RequestMessage } from '../state/message.ts';
import type { Transaction } from '../state/transaction.ts';
import { messageContext } from '../system-api/message-context.ts';
import { keepRun, settleContext } from './effects.ts';
import type { Environment } from './environment.ts';
import type { LoadedCode } from './run/loaded-code.ts';
import { failureOutcome, markProcessing, respond } from './respond.ts';
import { chargeRent } from './rent.ts';
import { accountOf, billFor, cannotPay, runPaid } from './spending.ts';

/** Calls the canister has in flight, by the key of the callee; counted at the first question, as most messages ask none. */
export function outstandingTo(canister: Canister): (callee: IdKey) => number {
  let counts: Map<IdKey, number> | undefined;
  return (callee) => {
    counts ??= countByCallee(canister);
    return counts.get(callee) ?? 0;
  };
}

function countByCallee(canister: Canister): Map<IdKey, number> {
  const counts = new Map<IdKey, number>();
  for (const { callee } of canister.callbacks.values()) {
    const key = idKey(callee);
    counts.set(key, (counts.get(key) ?? 0) + 1);
  }
  return counts;
}

/** Opens a call context; it is stored only if the call outlives its first message. */
export function openContext(
  tx: Transaction,
  canister: Canister,
  input: Pick<CallContext, 'origin' | 'caller' | 'callerInfo' | 'deadline' | 'cycles'>,
): WorkingContext {
  const record = tx.edit(canister);
  const id = record.nextCallContext;
  record.nextCallContext = id + 1;
  return workingContext({
    ...input,
    id,
    responded: false,
    deleted: false,
    outstanding: 0,
    instructions: 0n,
  });
}

/** Runs a call of an update method, or of a query method in replicated mode, whose effects are dropped. */
export function executeCall(
  env: Environment,
  tx: Transaction,
  canister: Canister,
  request: RequestMessage,
): void {
  chargeRent(env, tx, canister);
  const target = findMethod(env, canister, request);
  if ('refusal' in target) {
    respond(tx, request.origin, failureOutcome(request.origin, target.refusal), request.cycles);
    return;
  }
  const { code, exportName, entry } = target;
  const record = tx.edit(canister);
  const account = accountOf(env, canister);
  const bill = billFor(env, record, env.limits.update);
  const unpaid = cannotPay(account, canister, bill);
  if (unpaid) {
    respond(tx, request.origin, failureOutcome(request.origin, unpaid), request.cycles);
    return;
  }
  const context = openContext(tx, canister, {
    origin: request.origin,
    caller: request.caller,
    callerInfo: request.callerInfo,
    deadline: request.origin.kind === 'canister' ? request.deadline : 0n,
    cycles: request.cycles,
  });
  const result = runPaid(
    env,
    canister,
    code,
    messageContext({
      entry,
      subnet: env.subnet,
      canister: record,
      account,
      balance: record.cycles - bill.prepaid,
      timeNanos: tx.timeNanos,
      instructionLimit: env.limits.update,
      caller: request.caller,
      callerInfo: request.callerInfo,
      arg: request.arg,
      method: request.method,
      deadlineNanos: entry === 'U' ? context.deadline : 0n,
      cyclesAvailable: request.cycles,
      canRespond: true,
      maxReplyBytes: MAX_REPLY_BYTES,
      outstandingTo: outstandingTo(canister),
    }),
    () => code.instance.call(exportName),
  );
  if (result.error) {
    bill.settleFailed(record, result.instructions);
    tx.addLines(canister, result.context.log);
    tx.saveProgress(canister);
  } else {
    keepRun(tx, canister, code, result, entry === 'U');
    bill.settle(record, result.instructions);
  }
  settleContext(env, tx, canister, context, result);
  if (!context.responded) markProcessing(tx, context.origin);
}

type Target =
  | { readonly refusal: ReplicaError }
  | { readonly code: LoadedCode; readonly exportName: string; readonly entry: 'U' | 'RQ' };

function findMethod(env: Environment, canister: Canister, { method }: RequestMessage): Target {
  const { status, code } = canister.record;
  if (status === 'stopped') return { refusal: replicaErrors.stopped(canister.id) };
  if (status === 'stopping') return { refusal: replicaErrors.stopping(canister.id) };
  if (!code) return { refusal: replicaErrors.noWasmModule(canister.id) };
  const loaded = env.codes.load(canister);
  if (loaded instanceof ReplicaError) return { refusal: loaded };
  const has = (kind: string): boolean => loaded.instance.hasExport(`canister_${kind} ${method}`);
  if (has('update')) return { code: loaded, exportName: `canister_update ${method}`, entry: 'U' };
  if (has('query')) return { code: loaded, exportName: `canister_query ${method}`, entry: 'RQ' };
  if (has('composite_query')) return { refusal: replicaErrors.compositeInReplicatedMode() };
  return { refusal: replicaErrors.methodNotFound(canister.id, 'update', method) };
}
