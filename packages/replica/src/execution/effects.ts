import { type ReplicaError, replicaErrors } from '@cannery/ic/errors';
import { MAX_HEAP32_BYTES, MAX_HEAP64_BYTES, STORE_PAGE_BYTES, WASM_PAGE_BYTES } from '@cannery/ic/limits';
import type { WorkingContext } from '../state/call-context.ts';
import type { Canister, EditableRecord } from '../state/canister.ts';
import type { Transaction } from '../state/transaction.ts';
import type { Environment } from './environment.ts';
import { failureOutcome, respond, responseOutcome } from './respond.ts';
import type { LoadedCode } from './run/loaded-code.ts';
import type { Run } from './run/run.ts';
import type { PaidRun } from './spending.ts';
import { send } from './send.ts';

const STORE_PAGES_PER_WASM_PAGE = WASM_PAGE_BYTES / STORE_PAGE_BYTES;

/** Commits heap and stable memory to the transaction. */
function keepMemory(tx: Transaction, canister: Canister, code: LoadedCode): void {
  const record = tx.edit(canister);
  if (!record.code) throw new Error('A canister without code has no memory to keep.');
  const heap = code.instance.commit();
  const space = canister.heapSpace();
  for (const index of heap.dirtyPages) tx.writePage(space, index, heap.page(index));
  if (heap.logicalPages !== record.code.heapPages) {
    tx.resizeSpace(space, heap.logicalPages * STORE_PAGES_PER_WASM_PAGE);
  }
  record.code.heapPages = heap.logicalPages;
  record.code.globals = heap.globals;
  keepStable(tx, canister, code);
}

/** Commits the stable memory to the transaction. */
export function keepStable(tx: Transaction, canister: Canister, code: LoadedCode): void {
  const record = tx.edit(canister);
  const space = canister.stableSpace();
  for (const index of code.stable.dirtyPages()) tx.writePage(space, index, code.stable.page(index));
  if (code.stable.pages !== record.stablePages) {
    record.stablePages = code.stable.pages;
    tx.resizeSpace(space, record.stablePages * STORE_PAGES_PER_WASM_PAGE);
  }
  code.stable.commit();
}

/** Commits what a successful message did to the canister itself; `memory` is false for a replicated query. */
export function keepRun(
  tx: Transaction,
  canister: Canister,
  code: LoadedCode,
  run: PaidRun,
  memory = true,
): void {
  const record = tx.edit(canister);
  const { context } = run;
  if (memory) keepMemory(tx, canister, code);
  else code.rollback();
  record.cycles = context.balance - run.reserved;
  record.reservedCycles += run.reserved;
  record.consumed.burnedCycles += context.burned;
  if (context.globalTimer !== undefined) record.globalTimer = context.globalTimer;
  if (context.certifiedData) {
    record.certifiedData = context.certifiedData;
    tx.certify(canister);
  }
  record.version += 1n;
  updateLowMemoryHook(record);
  tx.addLines(canister, context.log);
  tx.saveProgress(canister);
}

/** Sends the calls of a successful message and answers its call, or closes it where nothing is left to wait for. */
export function settleContext(
  env: Environment,
  tx: Transaction,
  canister: Canister,
  context: WorkingContext,
  run: Run,
): void {
  context.instructions += run.instructions;
  if (!run.error) {
    context.cycles = run.context.cyclesAvailable;
    for (const call of run.context.calls) send(env, tx, canister, context, call);
    const { response } = run.context;
    if (response) {
      respond(tx, context.origin, responseOutcome(response), response.refund);
      context.responded = true;
    }
  }
  closeContext(tx, canister, context, run.error);
}

/** Ends the call context when no callback is outstanding; stores it otherwise. */
export function closeContext(
  tx: Transaction,
  canister: Canister,
  context: WorkingContext,
  error: ReplicaError | undefined,
): void {
  if (context.outstanding > 0) {
    tx.saveContext(canister, context);
    return;
  }
  if (!context.responded) {
    const cause = error ?? replicaErrors.didNotReply(canister.id);
    respond(tx, context.origin, failureOutcome(context.origin, cause), context.cycles);
    context.responded = true;
  }
  tx.removeContext(canister, context.id);
}

/** The hook is due once each time the remaining heap falls below the threshold of the settings. */
function updateLowMemoryHook(record: EditableRecord): void {
  const { wasmMemoryLimit, wasmMemoryThreshold } = record.settings;
  if (!record.code) return;
  const most = record.code.memory64 ? MAX_HEAP64_BYTES : MAX_HEAP32_BYTES;
  const capacity = wasmMemoryLimit === 0n ? most : wasmMemoryLimit;
  const used = BigInt(record.code.heapPages) * BigInt(WASM_PAGE_BYTES);
  if (capacity - used >= wasmMemoryThreshold) record.lowMemoryHook = 'condition_not_satisfied';
  else if (record.lowMemoryHook === 'condition_not_satisfied') record.lowMemoryHook = 'ready';
}
