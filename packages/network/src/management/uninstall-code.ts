import { replicaErrors } from '../errors.ts';
import { rejectionOutcome, respond } from '../execution/respond.ts';
import { settleStopping } from '../execution/stopping.ts';
import type { Canister } from '../state/canister.ts';
import type { Transaction } from '../state/transaction.ts';
import { type UninstallCode, UninstallCodeArg } from './candid-types.ts';
import { canisterOf, changeOrigin, managementMethod } from './method.ts';

export const uninstallCode = managementMethod<UninstallCode>({
  name: 'uninstall_code',
  arg: UninstallCodeArg,
  callers: { kind: 'controllers' },
  target: (arg) => arg.canister_id,
  run(call, arg) {
    const { env, tx } = call;
    const canister = canisterOf(env, arg.canister_id);
    const { record } = canister;
    env.codes.forget(canister);
    tx.dropCode(canister);
    record.code = undefined;
    record.stablePages = 0;
    record.certifiedData = new Uint8Array(0);
    record.globalTimer = 0n;
    record.lowMemoryHook = 'condition_not_satisfied';
    record.version += 1n;
    canister.metadata = [];
    tx.setChunks(canister, []);
    tx.clearLog(canister);
    abandonCalls(tx, canister);
    tx.addChange(canister, {
      timestampNanos: tx.timeNanos,
      canisterVersion: record.version,
      origin: changeOrigin(call, arg.sender_canister_version),
      details: { kind: 'uninstall' },
    });
    tx.saveCanister(canister);
    tx.certify(canister, true);
    settleStopping(tx, canister);
  },
});

/** Rejects every call not answered yet; contexts with calls in flight stay to take in the refunds. */
function abandonCalls(tx: Transaction, canister: Canister): void {
  for (const context of canister.callContexts.values()) {
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
