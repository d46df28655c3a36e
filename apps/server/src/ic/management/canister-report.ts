import type { CanisterSettings } from '@cannery/contract';
import { IDL } from '@icp-sdk/core/candid';
import { worded } from '../replies/ic-errors.ts';
import { readSmall } from '../replies/read-reply.ts';
import { type DecodedSettings, settingsOf, settingsReply } from './settings-idl.ts';

/** Everything `canister_status` says about a canister. */
export interface CanisterReport {
  readonly status: 'running' | 'stopping' | 'stopped';
  readonly cycles: bigint;
  /** Hex; null when no code is installed. */
  readonly moduleHash: string | null;
  readonly version: bigint;
  readonly reservedCycles: bigint;
  readonly idleCyclesBurnedPerDay: bigint;
  readonly settings: CanisterSettings;
  /** Bytes. */
  readonly memory: {
    readonly total: bigint;
    readonly wasmMemory: bigint;
    readonly stableMemory: bigint;
    readonly globalMemory: bigint;
    readonly wasmBinary: bigint;
    readonly customSections: bigint;
    readonly canisterHistory: bigint;
    readonly wasmChunkStore: bigint;
    readonly snapshots: bigint;
    readonly logMemoryStore: bigint;
  };
  readonly queries: {
    readonly calls: bigint;
    readonly instructions: bigint;
    readonly requestBytes: bigint;
    readonly responseBytes: bigint;
  };
}

const { Nat, Nat64, Opt } = IDL;

const memoryMetrics = IDL.Record({
  wasm_memory_size: Nat,
  stable_memory_size: Nat,
  global_memory_size: Nat,
  wasm_binary_size: Nat,
  custom_sections_size: Nat,
  canister_history_size: Nat,
  wasm_chunk_store_size: Nat,
  snapshots_size: Nat,
  log_memory_store_size: Opt(Nat),
});

/** `canister_status_result` of ic.did, interface specification 0.66. */
const statusReply = IDL.Record({
  status: IDL.Variant({ running: IDL.Null, stopping: IDL.Null, stopped: IDL.Null }),
  version: Opt(Nat64),
  settings: settingsReply,
  module_hash: Opt(IDL.Vec(IDL.Nat8)),
  memory_size: Nat,
  memory_metrics: Opt(memoryMetrics),
  cycles: Nat,
  reserved_cycles: Nat,
  idle_cycles_burned_per_day: Nat,
  query_stats: IDL.Record({
    num_calls_total: Nat,
    num_instructions_total: Nat,
    request_payload_bytes_total: Nat,
    response_payload_bytes_total: Nat,
  }),
});

type Metric = Exclude<keyof Metrics, 'log_memory_store_size'>;
interface Metrics {
  readonly wasm_memory_size: bigint;
  readonly stable_memory_size: bigint;
  readonly global_memory_size: bigint;
  readonly wasm_binary_size: bigint;
  readonly custom_sections_size: bigint;
  readonly canister_history_size: bigint;
  readonly wasm_chunk_store_size: bigint;
  readonly snapshots_size: bigint;
  readonly log_memory_store_size: [] | [bigint];
}

interface DecodedStatus {
  readonly status: Record<string, null>;
  readonly version: [] | [bigint];
  readonly settings: DecodedSettings;
  readonly module_hash: [] | [Uint8Array];
  readonly memory_size: bigint;
  readonly memory_metrics: [] | [Metrics];
  readonly cycles: bigint;
  readonly reserved_cycles: bigint;
  readonly idle_cycles_burned_per_day: bigint;
  readonly query_stats: {
    readonly num_calls_total: bigint;
    readonly num_instructions_total: bigint;
    readonly request_payload_bytes_total: bigint;
    readonly response_payload_bytes_total: bigint;
  };
}

/** Decodes a reply of `canister_status`. @throws AppError network_rejected for another reply */
export function decodeReport(reply: Uint8Array): CanisterReport {
  const decoded = worded(() => readSmall<DecodedStatus>(statusReply, reply));
  const [metrics] = decoded.memory_metrics;
  const [hash] = decoded.module_hash;
  const bytes = (name: Metric): bigint => metrics?.[name] ?? 0n;
  const status =
    'running' in decoded.status ? 'running' : 'stopped' in decoded.status ? 'stopped' : 'stopping';
  return {
    status,
    cycles: decoded.cycles,
    moduleHash: hash === undefined ? null : Buffer.from(hash).toString('hex'),
    version: decoded.version[0] ?? 0n,
    reservedCycles: decoded.reserved_cycles,
    idleCyclesBurnedPerDay: decoded.idle_cycles_burned_per_day,
    settings: settingsOf(decoded.settings),
    memory: {
      total: decoded.memory_size,
      wasmMemory: bytes('wasm_memory_size'),
      stableMemory: bytes('stable_memory_size'),
      globalMemory: bytes('global_memory_size'),
      wasmBinary: bytes('wasm_binary_size'),
      customSections: bytes('custom_sections_size'),
      canisterHistory: bytes('canister_history_size'),
      wasmChunkStore: bytes('wasm_chunk_store_size'),
      snapshots: bytes('snapshots_size'),
      logMemoryStore: metrics?.log_memory_store_size[0] ?? 0n,
    },
    queries: {
      calls: decoded.query_stats.num_calls_total,
      instructions: decoded.query_stats.num_instructions_total,
      requestBytes: decoded.query_stats.request_payload_bytes_total,
      responseBytes: decoded.query_stats.response_payload_bytes_total,
    },
  };
}
