import { replicaErrors } from '@cannery/ic/errors';
import type { Canister } from '../state/canister.ts';
import type { Transaction } from '../state/transaction.ts';
import { rejectionOutcome, respond } from './respond.ts';

/** Candid encoding of no values: what management methods without a result reply. */
const EMPTY_CANDID = Uint8Array.of(0x44, 0x49, 0x44, 0x4c, 0, 0);

/** Stops a stopping canister once no call is open, and answers everyone who waits for that. */
export function settleStopping(tx: Transaction, canister: Canister): void {
  if (canister.record.status !== 'stopping' || canister.callContexts.size > 0) return;
  const record = tx.edit(canister);
  record.status = 'stopped';
  record.version += 1n;
  for (const request of record.stopRequests) {
    respond(tx, request.origin, { status: 'replied', reply: EMPTY_CANDID }, request.cycles);
  }
  record.stopRequests = [];
  tx.saveCanister(canister);
}

/** Rejects the stop requests that have waited long enough; the canister goes on stopping. */
export function expireStopRequests(tx: Transaction, canister: Canister): void {
  const record = tx.edit(canister);
  const [late, waiting] = [true, false].map((isLate) =>
    record.stopRequests.filter((request) => request.deadlineNanos <= tx.timeNanos === isLate),
  );
  for (const request of late ?? []) {
    respond(tx, request.origin, rejectionOutcome(replicaErrors.stopTimeout()), request.cycles);
  }
  record.stopRequests = waiting ?? [];
  tx.saveCanister(canister);
}
