import { payRent } from '../cycles/rent.ts';
import type { Canister } from '../state/canister.ts';
import type { Transaction } from '../state/transaction.ts';
import type { Environment } from './environment.ts';
import { settleStopping } from './stopping.ts';
import { uninstall } from './uninstall.ts';

/**
 * Charges the canister for memory and compute up to the time of the transaction; must come before anything that
 * changes the canister. One that cannot pay loses code, state, snapshots, history and allocations, and keeps its ID,
 * controllers and version (interface specification, "Canister out of cycles"). Not stored by itself: it can be worked
 * out again from what is stored.
 */
export function chargeRent(env: Environment, tx: Transaction, canister: Canister): void {
  const record = tx.edit(canister);
  if (!payRent(env.fees, canister, record, tx.timeNanos)) return;
  record.settings = { ...record.settings, computeAllocation: 0n, memoryAllocation: 0n };
  for (const snapshot of canister.snapshots) tx.removeSnapshot(canister, snapshot);
  uninstall(env, tx, canister);
  tx.clearHistory(canister);
  settleStopping(tx, canister);
}
