import type { CanisterDetails } from '@cannery/contract';
import type { AppContext } from '../../context.ts';
import type { Actor } from '../../http/actor.ts';
import type { CanisterReport } from '../../ic/canister-report.ts';
import { findCanister, saveSeenState, stateOf } from './store.ts';

const SECONDS_PER_DAY = 86_400n;

/** Everything the network says about a canister of the user now. */
export async function readDetails(
  ctx: AppContext,
  user: Actor,
  input: { canisterId: string },
): Promise<CanisterDetails> {
  const { id } = await findCanister(ctx.db, user.id, input.canisterId);
  const askedAt = new Date();
  const report = await ctx.ic.status(id);
  await ctx.transact((tx) => saveSeenState(tx, { id, userId: user.id }, stateOf(report), askedAt));
  return detailsOf(report, { id, consolePrincipal: ctx.ic.principal });
}

/** A report as the contract shows it. */
export function detailsOf(
  report: CanisterReport,
  { id, consolePrincipal }: { id: string; consolePrincipal: string },
): CanisterDetails {
  const { memory, queries, settings } = report;
  const limit = freezingLimit(report);
  return {
    id,
    status: report.status,
    frozen: report.cycles < limit,
    empty: report.moduleHash === null,
    cycles: report.cycles.toString(),
    reserved_cycles: report.reservedCycles.toString(),
    idle_cycles_burned_per_day: report.idleCyclesBurnedPerDay.toString(),
    freezing_limit: limit.toString(),
    days_until_freezing: daysUntilFreezing(report),
    module_hash: report.moduleHash,
    version: report.version.toString(),
    memory: {
      total: memory.total.toString(),
      wasm_memory: memory.wasmMemory.toString(),
      stable_memory: memory.stableMemory.toString(),
      global_memory: memory.globalMemory.toString(),
      wasm_binary: memory.wasmBinary.toString(),
      custom_sections: memory.customSections.toString(),
      canister_history: memory.canisterHistory.toString(),
      wasm_chunk_store: memory.wasmChunkStore.toString(),
      snapshots: memory.snapshots.toString(),
      log_memory_store: memory.logMemoryStore.toString(),
    },
    query_stats: {
      calls: queries.calls.toString(),
      instructions: queries.instructions.toString(),
      request_bytes: queries.requestBytes.toString(),
      response_bytes: queries.responseBytes.toString(),
    },
    settings,
    console_principal: consolePrincipal,
  };
}

/** Cycles the canister burns in the time of its freezing threshold. */
function reserveOf({ idleCyclesBurnedPerDay, settings }: CanisterReport): bigint {
  return (idleCyclesBurnedPerDay * BigInt(settings.freezing_threshold)) / SECONDS_PER_DAY;
}

/** The reserved balance pays first, so the main balance need not cover what it does (specification, `freezing_limit`). */
function freezingLimit(report: CanisterReport): bigint {
  const reserve = reserveOf(report);
  return reserve > report.reservedCycles ? reserve - report.reservedCycles : 0n;
}

/** Days with one decimal, at least 0; null when nothing is burned. */
function daysUntilFreezing(report: CanisterReport): number | null {
  const { cycles, reservedCycles, idleCyclesBurnedPerDay: perDay } = report;
  if (perDay === 0n) return null;
  const spare = cycles + reservedCycles - reserveOf(report);
  return spare <= 0n ? 0 : Number((spare * 10n) / perDay) / 10;
}
