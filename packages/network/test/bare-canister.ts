import { nothingConsumed } from '../src/state/consumed-cycles.ts';
import { Canister } from '../src/state/canister.ts';
import { type CanisterSettings, DEFAULT_SETTINGS } from '../src/state/settings.ts';

/** A canister without code, made at time 0, for tests of what does not run any. */
export function bareCanister(
  cycles: bigint,
  settings: Partial<CanisterSettings> = {},
  reservedCycles = 0n,
): Canister {
  return new Canister({
    id: Uint8Array.of(0, 0, 0, 0, 1, 0, 0, 0, 1, 1),
    createdAtNanos: 0n,
    controllers: [],
    settings: { ...DEFAULT_SETTINGS, ...settings },
    status: 'running',
    cycles,
    reservedCycles,
    paidUntilNanos: 0n,
    consumed: nothingConsumed(),
    version: 0n,
    certifiedData: new Uint8Array(0),
    globalTimer: 0n,
    code: undefined,
    heapGeneration: 0,
    stableGeneration: 0,
    stablePages: 0,
    lowMemoryHook: 'condition_not_satisfied',
    nextCallContext: 0,
    nextCallback: 0,
    nextSnapshot: 0,
    stopRequests: [],
    queryStatistics: { calls: 0n, instructions: 0n, requestBytes: 0n, responseBytes: 0n },
  });
}
