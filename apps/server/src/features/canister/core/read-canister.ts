import type { CanisterDetails } from '@cannery/contract';
import type { AppContext } from '../../../context.ts';
import type { Actor } from '../../../http/actor.ts';
import type { CanisterReport } from '../../../ic/management/canister-report.ts';
import { learnHttp } from './serves-http.ts';
import { daysUntilFreezing, freezingLimit, freezingNeed } from './freezing.ts';
import { type CanisterRow, findCanister, saveSeenState, stateOf } from './store.ts';

/** One canister of the user: as last known, or as the network knows it now. */
export async function readCanister(
  ctx: AppContext,
  user: Actor,
  input: { canisterId: string; realTime: boolean },
): Promise<CanisterRow> {
  const known = await findCanister(ctx.db, user.id, input.canisterId);
  if (!input.realTime) return known;
  const askedAt = new Date();
  const state = stateOf(await ctx.ic.status(known.id));
  await ctx.transact((tx) => saveSeenState(tx, { id: known.id, userId: user.id }, state, askedAt));
  await learnHttp(ctx, user.id, [await findCanister(ctx.db, user.id, known.id)]);
  const row = await findCanister(ctx.db, user.id, known.id);
  return { ...row, status: state.status, cycles: state.cycles, module_hash: state.moduleHash };
}

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
  await learnHttp(ctx, user.id, [await findCanister(ctx.db, user.id, id)]);
  return detailsOf(report, { id, consolePrincipal: ctx.ic.principal });
}

/** A report as the contract shows it. */
export function detailsOf(
  report: CanisterReport,
  { id, consolePrincipal }: { id: string; consolePrincipal: string },
): CanisterDetails {
  const { memory, queries, settings } = report;
  const need = freezingNeed(report);
  const limit = freezingLimit(need);
  return {
    id,
    status: report.status,
    frozen: report.cycles < limit,
    empty: report.moduleHash === null,
    cycles: report.cycles.toString(),
    reserved_cycles: report.reservedCycles.toString(),
    idle_cycles_burned_per_day: report.idleCyclesBurnedPerDay.toString(),
    freezing_limit: limit.toString(),
    days_until_freezing: daysUntilFreezing(report.cycles, need),
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
