import { DEFAULT_LOG_MEMORY_BYTES } from '@cannery/ic/limits';

export type Visibility =
  | { readonly kind: 'controllers' }
  | { readonly kind: 'public' }
  | { readonly kind: 'allowed_viewers'; readonly viewers: readonly Uint8Array[] };

export interface EnvironmentVariable {
  readonly name: string;
  readonly value: string;
}

/** Settings of a canister besides its controllers; units and ranges as in `ic.did`. */
export interface CanisterSettings {
  readonly computeAllocation: bigint;
  readonly memoryAllocation: bigint;
  readonly freezingThreshold: bigint;
  readonly reservedCyclesLimit: bigint;
  readonly minimumIncomingCanisterCallCycles: bigint;
  readonly wasmMemoryLimit: bigint;
  readonly wasmMemoryThreshold: bigint;
  readonly logMemoryLimit: bigint;
  readonly logVisibility: Visibility;
  readonly snapshotVisibility: Visibility;
  readonly statusVisibility: Visibility;
  readonly environmentVariables: readonly EnvironmentVariable[];
}

/** Defaults of the interface specification; `wasm_memory_limit` as the replica sets it (3 GiB). */
export const DEFAULT_SETTINGS: CanisterSettings = {
  computeAllocation: 0n,
  memoryAllocation: 0n,
  freezingThreshold: 2_592_000n,
  reservedCyclesLimit: 5_000_000_000_000n,
  minimumIncomingCanisterCallCycles: 0n,
  wasmMemoryLimit: 3n * 1024n ** 3n,
  wasmMemoryThreshold: 0n,
  logMemoryLimit: BigInt(DEFAULT_LOG_MEMORY_BYTES),
  logVisibility: { kind: 'controllers' },
  snapshotVisibility: { kind: 'controllers' },
  statusVisibility: { kind: 'controllers' },
  environmentVariables: [],
};
