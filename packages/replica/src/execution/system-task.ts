import { ReplicaError } from '@cannery/ic/errors';
import { MAX_REPLY_BYTES } from '@cannery/ic/limits';
import type { Canister } from '../state/canister.ts';
import { MANAGEMENT_ID } from '../state/canister-id.ts';
import type { TaskName } from '../state/message.ts';
import type { Transaction } from '../state/transaction.ts';
import { messageContext } from '../system-api/message-context.ts';
import { openContext, outstandingTo } from './call.ts';
import { keepRun, settleContext } from './effects.ts';
import type { Environment } from './environment.ts';
import { chargeRent } from './rent.ts';
import { accountOf, billFor, cannotPay, runPaid } from './spending.ts';

/**
 * Runs a system task of a running canister; the condition that made it due is cleared also when it fails. Without the
 * cycles for it the task is not begun, and stays due.
 */
export function executeTask(env: Environment, tx: Transaction, canister: Canister, task: TaskName): void {
  chargeRent(env, tx, canister);
  const record = tx.edit(canister);
  const account = accountOf(env, canister);
  const bill = billFor(env, record, env.limits.update);
  if (cannotPay(account, canister, bill)) return;
  if (record.status !== 'running' || !record.code) return;
  if (task === 'canister_global_timer') record.globalTimer = 0n;
  if (task === 'canister_on_low_wasm_memory') record.lowMemoryHook = 'executed';
  tx.saveProgress(canister);
  const code = env.codes.load(canister);
  if (code instanceof ReplicaError || !code.instance.hasExport(task)) return;
  const context = openContext(tx, canister, {
    origin: { kind: 'system' },
    caller: MANAGEMENT_ID,
    deadline: 0n,
    cycles: 0n,
  });
  context.responded = true;
  const result = runPaid(
    env,
    canister,
    code,
    messageContext({
      entry: 'T',
      subnet: env.subnet,
      canister: record,
      account,
      balance: record.cycles - bill.prepaid,
      timeNanos: tx.timeNanos,
      instructionLimit: env.limits.update,
      caller: MANAGEMENT_ID,
      maxReplyBytes: MAX_REPLY_BYTES,
      outstandingTo: outstandingTo(canister),
    }),
    () => code.instance.call(task),
  );
  if (result.error) {
    bill.settleFailed(record, result.instructions);
    tx.addLines(canister, result.context.log);
  } else {
    keepRun(tx, canister, code, result);
    bill.settle(record, result.instructions);
  }
  settleContext(env, tx, canister, context, result);
}
