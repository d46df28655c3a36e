import type { CanisterAnswer } from '@cannery/contract';
import { originAnswer } from './origin-answer.ts';
import { daysUntilFreezing } from './freezing.ts';
import { type CanisterRow, keptFreezing } from './store.ts';

/**
 * A canister as the contract shows it; cycles become a number only here.
 * @param isBehind whether the network does not answer, so that the state is as of when it last did
 */
export function toAnswer(row: CanisterRow, isBehind = false): CanisterAnswer {
  const freezing = keptFreezing(row);
  return {
    id: row.id,
    name: row.name,
    cycles: row.cycles === null ? null : Number(row.cycles),
    cycles_exact: row.cycles === null ? null : row.cycles.toString(),
    status: row.status,
    module_hash: row.module_hash,
    origin: originAnswer(row),
    days_until_freezing:
      row.cycles === null || freezing === null ? null : daysUntilFreezing(row.cycles, freezing),
    created_at: row.created_at.toISOString(),
    updated_at: row.updated_at?.toISOString() ?? null,
    as_of: isBehind ? (row.refreshed_at ?? row.created_at).toISOString() : null,
  };
}
