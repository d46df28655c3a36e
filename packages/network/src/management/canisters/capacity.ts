import { paidBytes } from '../../cycles/account.ts';
import { SUBNET_MEMORY_CAPACITY } from '../../cycles/reservation.ts';
import { replicaErrors } from '../../errors.ts';
import type { Environment } from '../../execution/environment.ts';
import { SUBNET_COMPUTE_PERCENT } from '../../limits.ts';
import type { CanisterSettings } from '../../state/settings.ts';

/**
 * Throws `ReplicaError` when the subnet has not left what the new settings set aside for a canister that uses
 * `usedBytes` bytes of memory. Settings that ask for no more than before always pass.
 */
export function checkCapacity(
  env: Environment,
  before: CanisterSettings,
  after: CanisterSettings,
  usedBytes: number,
): void {
  if (after.computeAllocation > before.computeAllocation) {
    const available = SUBNET_COMPUTE_PERCENT - computeOfAll(env) + before.computeAllocation;
    if (after.computeAllocation > available) {
      throw replicaErrors.computeOversubscribed(after.computeAllocation, available);
    }
  }
  const growth = paidBytes(after, usedBytes) - paidBytes(before, usedBytes);
  const available = SUBNET_MEMORY_CAPACITY - env.memory.totalBytes;
  if (growth > 0n && growth > available) throw replicaErrors.memoryOversubscribed(growth, available);
}

function computeOfAll({ state }: Environment): bigint {
  let percent = 0n;
  for (const { record } of state.canisters.values()) percent += record.settings.computeAllocation;
  return percent;
}
