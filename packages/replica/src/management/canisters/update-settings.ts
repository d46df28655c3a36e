import { paidBytes } from '../../cycles/account.ts';
import { reserveForSettings, SUBNET_MEMORY_CAPACITY } from '../../cycles/reservation.ts';
import { replicaErrors } from '@cannery/ic/errors';
import type { Environment } from '../../execution/environment.ts';
import { SUBNET_COMPUTE_PERCENT, WASM_PAGE_BYTES } from '@cannery/ic/limits';
import type { Canister } from '../../state/canister.ts';
import { memoryUsage } from '../../state/memory-usage.ts';
import type { CanisterSettings } from '../../state/settings.ts';
import type { IcTypes } from '@cannery/ic/generated/ic-interface';
import { canisterOf, changeOrigin, managementMethod } from '../method/method.ts';
import { changedControllers, changedSettings } from './settings.ts';

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

/** Throws when a limit that is to be set is below what the heap has already ("Changing settings" of the specification). */
function checkHeapLimit(
  { record }: Canister,
  { wasm_memory_limit: [limit = 0n] }: IcTypes['canister_settings'],
): void {
  const bytes = BigInt(record.code?.heapPages ?? 0) * BigInt(WASM_PAGE_BYTES);
  if (limit === 0n || bytes <= limit) return;
  throw replicaErrors.invalidSettings(
    `'wasm_memory_limit' of ${limit} bytes is less than the ${bytes} bytes of Wasm memory in use`,
  );
}

export const updateSettings = managementMethod({
  name: 'update_settings',
  callers: { kind: 'controllers' },
  target: (arg) => arg.canister_id,
  run(call, arg) {
    const { env, tx } = call;
    const canister = canisterOf(env, arg.canister_id);
    const { record } = canister;
    const settings = changedSettings(record.settings, arg.settings);
    const controllers = changedControllers(arg.settings);
    checkHeapLimit(canister, arg.settings);
    checkCapacity(env, record.settings, settings, memoryUsage(canister));
    const reserved = reserveForSettings(env.fees, {
      before: record.settings,
      after: settings,
      usedBytes: memoryUsage(canister),
      cycles: record.cycles,
      reservedCycles: record.reservedCycles,
      subnetBytes: env.memory.totalBytes,
    });
    const changed = tx.edit(canister);
    changed.cycles -= reserved;
    changed.reservedCycles += reserved;
    changed.settings = settings;
    changed.version += 1n;
    if (controllers) {
      changed.controllers = controllers;
      tx.addChange(canister, {
        timestampNanos: tx.timeNanos,
        canisterVersion: record.version,
        origin: changeOrigin(call, arg.sender_canister_version),
        details: { kind: 'controllers', controllers },
      });
      tx.certify(canister);
    }
    tx.saveCanister(canister);
  },
});
