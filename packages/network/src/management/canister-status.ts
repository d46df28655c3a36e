import { MAX_CHUNK_BYTES, WASM_PAGE_BYTES } from '../limits.ts';
import type { Canister } from '../state/canister.ts';
import { logBytes } from '../state/canister-log.ts';
import { type CanisterIdArg, CanisterIdRecord, CanisterStatusResult } from './candid-types.ts';
import { canisterOf, managementMethod } from './method.ts';
import { definiteSettings } from './settings.ts';

/** Size of a Wasm global in the state, in bytes. */
const GLOBAL_BYTES = 8;
/** Size of a change in the history without its controllers, and of one controller (dfinity/ic, canister history). */
const CHANGE_BYTES = 128;

function memoryMetrics(canister: Canister): Record<string, bigint> {
  const { code, stablePages } = canister.record;
  const metrics = {
    wasm_memory_size: (code?.heapPages ?? 0) * WASM_PAGE_BYTES,
    stable_memory_size: stablePages * WASM_PAGE_BYTES,
    global_memory_size: (code?.globals.length ?? 0) * GLOBAL_BYTES,
    wasm_binary_size: code?.moduleBytes ?? 0,
    custom_sections_size: code?.customSectionBytes ?? 0,
    canister_history_size: canister.history.recent.length * CHANGE_BYTES,
    wasm_chunk_store_size: canister.chunks.length * MAX_CHUNK_BYTES,
    snapshots_size: 0,
    log_memory_store_size: logBytes(canister.log),
  };
  return Object.fromEntries(Object.entries(metrics).map(([name, bytes]) => [name, BigInt(bytes)]));
}

export const canisterStatus = managementMethod<CanisterIdArg>({
  name: 'canister_status',
  arg: CanisterIdRecord,
  result: CanisterStatusResult,
  callers: { kind: 'viewers', visibility: (canister) => canister.record.settings.statusVisibility },
  query: 'also',
  target: (arg) => arg.canister_id,
  read(env, arg) {
    const canister = canisterOf(env, arg.canister_id);
    const { record } = canister;
    const metrics = memoryMetrics(canister);
    const statistics = record.queryStatistics;
    return {
      status: { [record.status]: null },
      ready_for_migration: record.status === 'stopped' && canister.queue.length === 0,
      version: record.version,
      settings: definiteSettings(record.controllers, record.settings),
      module_hash: record.code ? [record.code.moduleHash] : [],
      memory_size: Object.values(metrics).reduce((sum, bytes) => sum + bytes, 0n),
      memory_metrics: metrics,
      cycles: record.cycles,
      reserved_cycles: 0n,
      idle_cycles_burned_per_day: 0n,
      query_stats: {
        num_calls_total: statistics.calls,
        num_instructions_total: statistics.instructions,
        request_payload_bytes_total: statistics.requestBytes,
        response_payload_bytes_total: statistics.responseBytes,
      },
    };
  },
});
