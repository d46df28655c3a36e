import { replicaErrors } from '@cannery/ic/errors';
import { workingContext } from '../state/call-context.ts';
import type { Canister } from '../state/canister.ts';
import type { Transaction } from '../state/transaction.ts';
import type { Environment } from './environment.ts';
import { rejectionOutcome, respond } from './respond.ts';

/**
 * Takes code, heap, stable memory, chunks and log from a canister and rejects its open calls; whoever calls this adds
 * the change to the history and settles a stop.
 */
export function uninstall(env: Environment, tx: Transaction, canister: Canister): void {
  const record = tx.edit(canister);
  env.codes.forget(canister);
  tx.dropCode(canister);
  record.code = undefined;
  record.stablePages = 0;
  record.certifiedData = new Uint8Array(0);
  record.globalTimer = 0n;
  record.lowMemoryHook = 'condition_not_satisfied';
  record.version += 1n;
  tx.setMetadata(canister, []);
  tx.setChunks(canister, []);
  tx.clearLog(canister);
  abandonCalls(tx, canister);
  tx.saveCanister(canister);
  tx.certify(canister, true);
}

/** Rejects every call not answered yet; contexts with calls in flight stay to take in the refunds. */
function abandonCalls(tx: Transaction, canister: Canister): void {
  for (const known of canister.callContexts.values()) {
    const context = workingContext(known);
    if (!context.responded) {
      respond(tx, context.origin, rejectionOutcome(replicaErrors.uninstalled()), context.cycles);
      context.responded = true;
      context.cycles = 0n;
    }
    context.deleted = true;
    if (context.outstanding === 0) tx.removeContext(canister, context.id);
    else tx.saveContext(canister, context);
  }
}
