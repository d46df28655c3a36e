import { replicaErrors } from '@cannery/ic/errors';
import {
  MAX_ALLOWED_VIEWERS,
  MAX_CONTROLLERS,
  MAX_ENVIRONMENT_VARIABLE_BYTES,
  MAX_ENVIRONMENT_VARIABLES,
  DEFAULT_LOG_MEMORY_BYTES,
  MAX_LOG_MEMORY_BYTES,
} from '@cannery/ic/limits';
import { idKey } from '../../state/canister-id.ts';
import type { CanisterSettings, EnvironmentVariable, Visibility } from '../../state/settings.ts';
import type { IcTypes } from '@cannery/ic/generated/ic-interface';
import { principal } from '../method/method.ts';

const U64 = 1n << 64n;
const U128 = 1n << 128n;
const HEAP_LIMIT = (1n << 48n) + 1n;

function bounded(name: string, [value]: [] | [bigint], end: bigint): bigint | undefined {
  if (value !== undefined && value >= end) {
    throw replicaErrors.invalidSettings(`'${name}' must be between 0 and ${end - 1n}, got ${value}`);
  }
  return value;
}

function visibility(name: string, [value]: [] | [IcTypes['visibility']]): Visibility | undefined {
  if (!value) return undefined;
  if ('controllers' in value) return { kind: 'controllers' };
  if ('public' in value) return { kind: 'public' };
  if (value.allowed_viewers.length > MAX_ALLOWED_VIEWERS) {
    throw replicaErrors.invalidSettings(
      `'${name}' length exceeds maximum size allowed of ${MAX_ALLOWED_VIEWERS}`,
    );
  }
  return { kind: 'allowed_viewers', viewers: value.allowed_viewers.map((viewer) => viewer.toUint8Array()) };
}

function variables([list]: IcTypes['canister_settings']['environment_variables']):
  | readonly EnvironmentVariable[]
  | undefined {
  if (!list) return undefined;
  if (list.length > MAX_ENVIRONMENT_VARIABLES) {
    throw replicaErrors.tooManyVariables(list.length, MAX_ENVIRONMENT_VARIABLES);
  }
  const names = new Set<string>();
  for (const { name, value } of list) {
    if (Buffer.byteLength(name) > MAX_ENVIRONMENT_VARIABLE_BYTES) {
      throw replicaErrors.variableNameTooLong(name, MAX_ENVIRONMENT_VARIABLE_BYTES);
    }
    if (Buffer.byteLength(value) > MAX_ENVIRONMENT_VARIABLE_BYTES) {
      throw replicaErrors.variableValueTooLong(value, MAX_ENVIRONMENT_VARIABLE_BYTES);
    }
    if (names.has(name)) throw replicaErrors.invalidPayload(`Duplicate environment variable name "${name}"`);
    names.add(name);
  }
  return list.map(({ name, value }) => ({ name, value })).toSorted((a, b) => (a.name < b.name ? -1 : 1));
}

function logMemory([value]: [] | [bigint]): bigint | undefined {
  if (value === undefined || value === 0n) return value;
  if (value < BigInt(DEFAULT_LOG_MEMORY_BYTES) || value > BigInt(MAX_LOG_MEMORY_BYTES)) {
    throw replicaErrors.invalidSettings(
      `'log_memory_limit' must be 0 or between ${DEFAULT_LOG_MEMORY_BYTES} and ${MAX_LOG_MEMORY_BYTES}, got ${value}`,
    );
  }
  return value;
}

/** The settings with the given fields changed. Throws `ReplicaError` when a value is out of range. */
export function changedSettings(
  current: CanisterSettings,
  change: IcTypes['canister_settings'],
): CanisterSettings {
  return {
    computeAllocation:
      bounded('compute_allocation', change.compute_allocation, 101n) ?? current.computeAllocation,
    memoryAllocation: bounded('memory_allocation', change.memory_allocation, U64) ?? current.memoryAllocation,
    freezingThreshold:
      bounded('freezing_threshold', change.freezing_threshold, U64) ?? current.freezingThreshold,
    reservedCyclesLimit:
      bounded('reserved_cycles_limit', change.reserved_cycles_limit, U128) ?? current.reservedCyclesLimit,
    minimumIncomingCanisterCallCycles:
      bounded('minimum_incoming_canister_call_cycles', change.minimum_incoming_canister_call_cycles, U128) ??
      current.minimumIncomingCanisterCallCycles,
    wasmMemoryLimit:
      bounded('wasm_memory_limit', change.wasm_memory_limit, HEAP_LIMIT) ?? current.wasmMemoryLimit,
    wasmMemoryThreshold:
      bounded('wasm_memory_threshold', change.wasm_memory_threshold, HEAP_LIMIT) ??
      current.wasmMemoryThreshold,
    logMemoryLimit: logMemory(change.log_memory_limit) ?? current.logMemoryLimit,
    logVisibility: visibility('log_visibility', change.log_visibility) ?? current.logVisibility,
    snapshotVisibility:
      visibility('snapshot_visibility', change.snapshot_visibility) ?? current.snapshotVisibility,
    statusVisibility: visibility('status_visibility', change.status_visibility) ?? current.statusVisibility,
    environmentVariables: variables(change.environment_variables) ?? current.environmentVariables,
  };
}

/** The controllers to set, each once, or nothing. Throws when there are too many. */
export function changedControllers(
  change: IcTypes['canister_settings'] | undefined,
): readonly Uint8Array[] | undefined {
  const [list] = change?.controllers ?? [];
  if (!list) return undefined;
  const controllers = new Map(list.map((id) => [id.toText(), id.toUint8Array()]));
  if (controllers.size > MAX_CONTROLLERS) {
    throw replicaErrors.invalidSettings(
      `Invalid settings: 'controllers' length exceeds maximum size allowed of ${MAX_CONTROLLERS}.`,
    );
  }
  return [...controllers.values()].toSorted((a, b) => (idKey(a) < idKey(b) ? -1 : 1));
}

function candidVisibility(value: Visibility): IcTypes['visibility'] {
  if (value.kind === 'controllers') return { controllers: null };
  if (value.kind === 'public') return { public: null };
  return { allowed_viewers: value.viewers.map(principal) };
}

/** `definite_canister_settings`. */
export function definiteSettings(controllers: readonly Uint8Array[], settings: CanisterSettings): object {
  return {
    controllers: controllers.map(principal),
    compute_allocation: settings.computeAllocation,
    memory_allocation: settings.memoryAllocation,
    freezing_threshold: settings.freezingThreshold,
    reserved_cycles_limit: settings.reservedCyclesLimit,
    minimum_incoming_canister_call_cycles: settings.minimumIncomingCanisterCallCycles,
    log_visibility: candidVisibility(settings.logVisibility),
    log_memory_limit: settings.logMemoryLimit,
    snapshot_visibility: candidVisibility(settings.snapshotVisibility),
    status_visibility: candidVisibility(settings.statusVisibility),
    wasm_memory_limit: settings.wasmMemoryLimit,
    wasm_memory_threshold: settings.wasmMemoryThreshold,
    environment_variables: settings.environmentVariables,
  };
}
