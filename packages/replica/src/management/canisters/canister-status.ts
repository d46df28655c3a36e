import { idleCyclesPerDay } from '../../cycles/account.ts';
import { standingAt } from '../../cycles/rent.ts';
import type { LogRecord } from '../../state/canister-log.ts';
import type { Canister } from '../../state/canister.ts';
import { memoryMetrics as metricsOf, memoryUsage } from '../../state/memory-usage.ts';
import type { IcMethods } from '@cannery/ic/generated/ic-interface';
import { canisterOf, managementMethod } from '../method/method.ts';
import { definiteSettings } from './settings.ts';

function memoryMetrics(canister: Canister): Record<string, bigint> {
  const metrics = metricsOf(canister);
  return {
    wasm_memory_size: BigInt(metrics.wasmMemory),
    stable_memory_size: BigInt(metrics.stableMemory),
    global_memory_size: BigInt(metrics.globalMemory),
    wasm_binary_size: BigInt(metrics.wasmBinary),
    custom_sections_size: BigInt(metrics.customSections),
    canister_history_size: BigInt(metrics.canisterHistory),
    wasm_chunk_store_size: BigInt(metrics.wasmChunkStore),
    snapshots_size: BigInt(metrics.snapshots),
    log_memory_store_size: BigInt(metrics.logMemoryStore),
  };
}

export const canisterStatus = managementMethod({
  name: 'canister_status',
  callers: { kind: 'viewers-or-self', visibility: (canister) => canister.record.settings.statusVisibility },
  query: 'also',
  target: (arg) => arg.canister_id,
  read(env, arg) {
    const canister = canisterOf(env, arg.canister_id);
    const { record } = canister;
    const usedBytes = memoryUsage(canister);
    const { cycles, reservedCycles } = standingAt(env.fees, canister, env.clock.now());
    const statistics = record.queryStatistics;
    return {
      status: { [record.status]: null },
      ready_for_migration: record.status === 'stopped' && canister.queue.length === 0,
      version: record.version,
      settings: definiteSettings(record.controllers, record.settings),
      module_hash: record.code ? [record.code.moduleHash] : [],
      memory_size: BigInt(usedBytes),
      memory_metrics: memoryMetrics(canister),
      cycles,
      reserved_cycles: reservedCycles,
      idle_cycles_burned_per_day: idleCyclesPerDay(env.fees, record.settings, usedBytes),
      query_stats: {
        num_calls_total: statistics.calls,
        num_instructions_total: statistics.instructions,
        request_payload_bytes_total: statistics.requestBytes,
        response_payload_bytes_total: statistics.responseBytes,
      },
    };
  },
});

export const canisterMetrics = managementMethod({
  name: 'canister_metrics',
  callers: { kind: 'controllers' },
  query: 'also',
  target: (arg) => arg.canister_id,
  read(env, arg) {
    const canister = canisterOf(env, arg.canister_id);
    const { consumed } = canister.record;
    // A query changes nothing, so what the canister owes by now may not be in the counters yet.
    const standing = standingAt(env.fees, canister, env.clock.now());
    return {
      cycles_consumed: {
        memory: consumed.memory + standing.memory,
        compute_allocation: consumed.computeAllocation + standing.compute,
        ingress_induction: consumed.ingressInduction,
        instructions: consumed.instructions,
        request_and_response_transmission: consumed.requestAndResponseTransmission,
        uninstall: consumed.uninstall + (standing.exhausted?.rest ?? 0n),
        canister_creation: consumed.canisterCreation,
        http_outcalls: consumed.httpOutcalls,
        burned_cycles: consumed.burnedCycles,
      },
    };
  },
});

/** Whether the record is in the range the caller asked for; ranges include their start and exclude their end. */
function matches([filter]: IcMethods['fetch_canister_logs']['arg']['filter'], record: LogRecord): boolean {
  if (!filter) return true;
  if ('by_idx' in filter) return record.index >= filter.by_idx.start && record.index < filter.by_idx.end;
  const { start, end } = filter.by_timestamp_nanos;
  return record.timestampNanos >= start && record.timestampNanos < end;
}

export const fetchCanisterLogs = managementMethod({
  name: 'fetch_canister_logs',
  callers: { kind: 'viewers', visibility: (canister) => canister.record.settings.logVisibility },
  query: 'only',
  target: (arg) => arg.canister_id,
  read: (env, arg) => ({
    canister_log_records: canisterOf(env, arg.canister_id)
      .log.records.filter((record) => matches(arg.filter, record))
      .map(({ index, timestampNanos, content }) => ({
        idx: index,
        timestamp_nanos: timestampNanos,
        content,
      })),
  }),
});
