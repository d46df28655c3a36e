import { reserveForGrowth } from '../../cycles/reservation.ts';
import { accountOf } from '../../execution/spending.ts';
import type { Canister } from '../../state/canister.ts';
import { memoryUsage } from '../../state/memory-usage.ts';
import type { ManagementCall } from './method.ts';

/** Work of the subnet itself that a canister pays for. */
interface Work {
  readonly instructions: bigint;
  /** Whether the work is a canister's with 64-bit memory, whose instructions cost twice as much. */
  readonly memory64?: boolean;
  /** Bytes by which the canister's memory grows. */
  readonly grownBytes?: number;
}

/**
 * Charges a canister for instructions the subnet carries out for it, and reserves cycles for the memory it takes by
 * them (`cycles_and_memory_usage_checks` of the replica's canister manager). Throws `ReplicaError`, with nothing
 * charged, when its cycles do not suffice.
 */
export function payForWork({ env, tx }: ManagementCall, canister: Canister, work: Work): void {
  const record = tx.edit(canister);
  const { instructions, memory64 = false, grownBytes = 0 } = work;
  const cost = env.fees.execution(instructions, memory64);
  const account = accountOf(env, canister);
  const refusal = account.refusal(record.cycles, cost);
  if (refusal) throw refusal;
  const usedBytes = memoryUsage(canister);
  const reserved = reserveForGrowth(account, canister, {
    usedBytes,
    newUsedBytes: usedBytes + grownBytes,
    subnetBytes: env.memory.totalBytes,
    balance: record.cycles - cost,
    keepsFreezingLimit: true,
  });
  record.cycles -= cost + reserved;
  record.reservedCycles += reserved;
  record.consumed.instructions += cost;
}
