import { ReplicaError } from '../errors.ts';
import { MAX_REPLY_BYTES } from '../limits.ts';
import type { CallContext, Callback, Closure } from '../state/call-context.ts';
import type { Canister } from '../state/canister.ts';
import type { ResponseMessage } from '../state/message.ts';
import type { Transaction } from '../state/transaction.ts';
import { messageContext, type ContextInput } from '../system-api/message-context.ts';
import { outstandingTo } from './call.ts';
import { closeContext, keepRun, settleContext } from './effects.ts';
import type { Environment } from './environment.ts';
import type { LoadedCode } from './loaded-code.ts';
import { type Run, run } from './run.ts';

/** Table index -1 of either pointer size: the canister wants no callback (one-way call). */
const NO_CALLBACK: ReadonlySet<bigint> = new Set([(1n << 32n) - 1n, (1n << 64n) - 1n]);

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
  const context = callback && canister.callContexts.get(callback.context);
  if (!callback || !context) return;
  tx.removeCallback(canister, callback.id);
  context.outstanding -= 1;
  canister.record.cycles += message.refund;
  tx.saveProgress(canister);
  const closure = message.outcome.status === 'replied' ? callback.onReply : callback.onReject;
  if (context.deleted || !canister.record.code || isIgnored(closure)) {
    closeContext(tx, canister, context, undefined);
    return;
  }
  const code = env.codes.load(canister);
  if (code instanceof ReplicaError) {
    closeContext(tx, canister, context, code);
    return;
  }
  const input = callbackInput(env, tx, canister, context, message);
  const entry = message.outcome.status === 'replied' ? 'Ry' : 'Rt';
  const result = run(code, messageContext({ ...input, entry }), () =>
    code.instance.callTable(closure.index, closure.environment),
  );
  if (!result.error) {
    keepRun(tx, canister, code, result);
    settleContext(tx, canister, context, result);
    return;
  }
  tx.addLines(canister, result.context.log);
  context.instructions += result.instructions;
  const error = cleanUp(tx, canister, code, callback, input) ?? result.error;
  closeContext(tx, canister, context, withCleanup(result.error, error));
}

function callbackInput(
  env: Environment,
  tx: Transaction,
  canister: Canister,
  context: CallContext,
  message: ResponseMessage,
): ContextInput {
  return {
    entry: 'Ry',
    subnet: env.subnet,
    canister: canister.record,
    timeNanos: tx.timeNanos,
    instructionLimit: env.limits.update,
    caller: context.caller,
    deadlineNanos: context.deadline,
    contextInstructions: context.instructions,
    cyclesAvailable: context.cycles,
    canRespond: !context.responded,
    maxReplyBytes: MAX_REPLY_BYTES,
    outstandingTo: outstandingTo(canister),
    ...responseInput(message),
  };
}

/** Runs the cleanup callback, if there is one, and returns why it failed. */
function cleanUp(
  tx: Transaction,
  canister: Canister,
  code: LoadedCode,
  callback: Callback,
  input: ContextInput,
): ReplicaError | undefined {
  const { onCleanup } = callback;
  if (!onCleanup) return undefined;
  const result: Run = run(
    code,
    messageContext({ ...input, entry: 'C', canRespond: false, cyclesAvailable: 0n }),
    () => code.instance.callTable(onCleanup.index, onCleanup.environment),
  );
  if (result.error) tx.addLines(canister, result.context.log);
  else keepRun(tx, canister, code, result);
  return result.error;
}

function withCleanup(callbackError: ReplicaError, error: ReplicaError): ReplicaError {
  if (callbackError === error) return error;
  const { errorCode, rejectCode, message } = callbackError;
  return new ReplicaError(
    errorCode,
    rejectCode,
    `${message}\n\ncall_on_cleanup also failed:\n\n${error.message}`,
  );
}
