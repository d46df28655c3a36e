import { type Canister, newCanister } from '../../src/state/canister.ts';
import { type CanisterSettings, DEFAULT_SETTINGS } from '../../src/state/settings.ts';

/** A canister without code, made at time 0, for tests of what does not run any. */
export function bareCanister(
  cycles: bigint,
  settings: Partial<CanisterSettings> = {},
  reservedCycles = 0n,
): Canister {
  return newCanister({
    id: Uint8Array.of(0, 0, 0, 0, 1, 0, 0, 0, 1, 1),
    createdAtNanos: 0n,
    controllers: [],
    settings: { ...DEFAULT_SETTINGS, ...settings },
    cycles,
    reservedCycles,
    creationFee: 0n,
  });
}
