import { ReplicaError, replicaErrors } from '@cannery/ic/errors';
import { MAX_REPLY_BYTES } from '@cannery/ic/limits';
import type { Outcome } from '@cannery/ic/state-leaves';
import { type CallContext, type Callback, type Closure, workingContext } from '../state/call-context.ts';
import type { Canister, EditableRecord } from '../state/canister.ts';
import type { ResponseMessage } from '../state/message.ts';
import type { Transaction } from '../state/transaction.ts';
import { messageContext, type ContextInput } from '../system-api/message-context.ts';
import type { Bill } from '../cycles/bill.ts';
import { outstandingTo } from './call.ts';
import { closeContext, keepRun, settleContext } from './effects.ts';
import type { Environment } from './environment.ts';
import type { LoadedCode } from './run/loaded-code.ts';
import { chargeRent } from './rent.ts';
import { accountOf, billFor, type PaidRun, runPaid } from './spending.ts';

/** Table index -1 of either pointer size: the canister wants no callback (one-way call). */
const NO_CALLBACK: ReadonlySet<bigint> = new Set([(1n << 32n) - 1n, (1n << 64n) - 1n]);

const RESERVED_CLEANUP_PERCENT = 5n;

/** Whether a closure names no function. */
export function isIgnored(closure: Closure): boolean {
  return NO_CALLBACK.has(closure.index);
}

/** The part of a callback's context that says what came back. */
export function responseInput(message: Pick<ResponseMessage, 'outcome' | 'refund'>): Partial<ContextInput> {
  const { outcome, refund } = message;
  return outcome.status === 'replied'
    ? { arg: outcome.reply, refunded: refund }
    : { rejectCode: outcome.rejectCode, rejectMessage: outcome.message, refunded: refund };
}

/** Takes in the response to a call: adds the refund and runs the callback, and the cleanup if that one traps. */
export function executeResponse(
  env: Environment,
  tx: Transaction,
  canister: Canister,
  message: ResponseMessage,
): void {
  const callback = canister.callbacks.get(message.callback);
  const known = callback && canister.callContexts.get(callback.context);
  if (!callback || !known) {
    creditLateRefund(tx, canister, message.refund);
    return;
  }
  chargeRent(env, tx, canister);
  const record = tx.edit(canister);
  // Read again: a canister that cannot pay its rent has its calls given up.
  const context = workingContext(canister.callContexts.get(callback.context) ?? known);
  tx.removeCallback(canister, callback.id);
  context.outstanding -= 1;
  record.cycles += message.refund;
  giveBackPrepayment(env, record, callback, message.outcome);
  tx.saveProgress(canister);
  const closure = message.outcome.status === 'replied' ? callback.onReply : callback.onReject;
  const bill = billFor(env, record, env.limits.update);
  if (context.deleted || !record.code || isIgnored(closure)) {
    payUnexecuted(record, callback, bill);
    closeContext(tx, canister, context, undefined);
    return;
  }
  const code = env.codes.load(canister);
  const unpaid =
    bill.prepaid > record.cycles
      ? replicaErrors.outOfCycles(canister.id, bill.prepaid - record.cycles)
      : undefined;
  if (code instanceof ReplicaError || unpaid) {
    payUnexecuted(record, callback, bill);
    closeContext(tx, canister, context, code instanceof ReplicaError ? code : unpaid);
    return;
  }
  const input = callbackInput(env, tx, canister, context, message, bill);
  const entry = message.outcome.status === 'replied' ? 'Ry' : 'Rt';
  const result = runPaid(env, canister, code, messageContext({ ...input, entry }), () =>
    code.instance.callTable(closure.index, closure.environment),
  );
  if (!result.error) {
    keepRun(tx, canister, code, result);
    bill.settle(record, result.instructions);
    settleContext(env, tx, canister, context, result);
    return;
  }
  tx.addLines(canister, result.context.log);
  context.instructions += result.instructions;
  const left = env.limits.update - result.instructions;
  const cleanup = cleanUp(env, tx, canister, code, callback, { ...input, instructionLimit: left });
  const used = result.instructions + (cleanup?.instructions ?? 0n);
  if (cleanup && !cleanup.error) bill.settle(record, used);
  else bill.settleFailed(record, used);
  closeContext(tx, canister, context, withCleanup(result.error, cleanup?.error ?? result.error));
}

/**
 * Gives back what was prepaid for the largest response beyond this one, and the cycles for its execution, for which
 * the bill of the callback is drawn up again.
 */
function giveBackPrepayment(
  { fees }: Environment,
  record: EditableRecord,
  { prepaid }: Callback,
  outcome: Outcome,
): void {
  const unused =
    outcome.status === 'replied'
      ? fees.unusedResponse(outcome.reply.length)
      : fees.unusedReject(Buffer.byteLength(outcome.message));
  const refund = unused < prepaid.transmission ? unused : prepaid.transmission;
  record.cycles += refund + prepaid.execution;
  record.consumed.requestAndResponseTransmission += prepaid.transmission - refund;
}

/** A callback that does not run costs the fee for a message, at most what was prepaid for it. */
function payUnexecuted(record: EditableRecord, { prepaid }: Callback, bill: Bill): void {
  const fee = bill.charge(0n);
  const charge = fee < prepaid.execution ? fee : prepaid.execution;
  record.cycles -= charge;
  record.consumed.instructions += charge;
}

/** Instructions of a callback that are kept for its cleanup (dfinity/ic `rs/execution_environment/src/execution/response.rs`). */
function cleanupReserve({ limits }: Environment): bigint {
  return (limits.update * RESERVED_CLEANUP_PERCENT) / 100n;
}

/**
 * A bounded-wait call was answered after its caller had stopped waiting: nobody reads the answer, but the cycles it
 * gives back are the caller's (dfinity/ic `rs/replicated_state/src/canister_state/queues/refunds.rs`).
 */
function creditLateRefund(tx: Transaction, canister: Canister, refund: bigint): void {
  if (refund === 0n) return;
  tx.edit(canister).cycles += refund;
  tx.saveProgress(canister);
}

function callbackInput(
  env: Environment,
  tx: Transaction,
  canister: Canister,
  context: CallContext,
  message: ResponseMessage,
  bill: Bill,
): ContextInput {
  return {
    entry: 'Ry',
    subnet: env.subnet,
    canister: canister.record,
    account: accountOf(env, canister),
    balance: canister.record.cycles - bill.prepaid,
    timeNanos: tx.timeNanos,
    instructionLimit: env.limits.update - cleanupReserve(env),
    caller: context.caller,
    callerInfo: context.callerInfo,
    deadlineNanos: context.deadline,
    contextInstructions: context.instructions,
    cyclesAvailable: context.cycles,
    canRespond: !context.responded,
    maxReplyBytes: MAX_REPLY_BYTES,
    outstandingTo: outstandingTo(canister),
    ...responseInput(message),
  };
}

/** Runs the cleanup callback, if there is one. */
function cleanUp(
  env: Environment,
  tx: Transaction,
  canister: Canister,
  code: LoadedCode,
  callback: Callback,
  input: ContextInput,
): PaidRun | undefined {
  const { onCleanup } = callback;
  if (!onCleanup) return undefined;
  const result = runPaid(
    env,
    canister,
    code,
    messageContext({ ...input, entry: 'C', canRespond: false, cyclesAvailable: 0n }),
    () => code.instance.callTable(onCleanup.index, onCleanup.environment),
  );
  if (result.error) tx.addLines(canister, result.context.log);
  else keepRun(tx, canister, code, result);
  return result;
}

/** Both errors in one text, without advice (`HypervisorError::Cleanup` in dfinity/ic `rs/interfaces`). */
function withCleanup(callbackError: ReplicaError, error: ReplicaError): ReplicaError {
  if (callbackError === error) return error;
  const { errorCode, rejectCode, message } = callbackError;
  const cleanup = withoutAdvice(error.message).replace(/^Error from Canister [^:]+: /, '');
  const text = `${withoutAdvice(message)}\n\ncall_on_cleanup also failed:\n\n${cleanup}`;
  return new ReplicaError(errorCode, rejectCode, text);
}

function withoutAdvice(message: string): string {
  const end = message.lastIndexOf('.\n');
  return end < 0 ? message : message.slice(0, end);
}
