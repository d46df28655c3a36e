import { ReplicaError } from '../errors.ts';
import { MAX_REPLY_BYTES } from '../limits.ts';
import type { Canister } from '../state/canister.ts';
import { MANAGEMENT_ID } from '../state/canister-id.ts';
import type { TaskName } from '../state/message.ts';
import type { Transaction } from '../state/transaction.ts';
import { messageContext } from '../system-api/message-context.ts';
import { openContext, outstandingTo } from './call.ts';
import { keepRun, settleContext } from './effects.ts';
import type { Environment } from './environment.ts';
import { run } from './run.ts';

/** Runs a system task of a running canister; the condition that made it due is cleared also when it fails. */
export function executeTask(env: Environment, tx: Transaction, canister: Canister, task: TaskName): void {
  const { record } = canister;
  if (record.status !== 'running' || !record.code) return;
  if (task === 'canister_global_timer') record.globalTimer = 0n;
  if (task === 'canister_on_low_wasm_memory') record.lowMemoryHook = 'executed';
  tx.saveProgress(canister);
  const code = env.codes.load(canister);
  if (code instanceof ReplicaError || !code.instance.hasExport(task)) return;
  const context = openContext(canister, {
    origin: { kind: 'system' },
    caller: MANAGEMENT_ID,
    deadline: 0n,
    cycles: 0n,
  });
  context.responded = true;
  const result = run(
    code,
    messageContext({
      entry: 'T',
      subnet: env.subnet,
      canister: record,
      timeNanos: tx.timeNanos,
      instructionLimit: env.limits.update,
      caller: MANAGEMENT_ID,
      maxReplyBytes: MAX_REPLY_BYTES,
      outstandingTo: outstandingTo(canister),
    }),
    () => code.instance.call(task),
  );
  if (result.error) tx.addLines(canister, result.context.log);
  else keepRun(tx, canister, code, result);
  settleContext(tx, canister, context, result);
}
