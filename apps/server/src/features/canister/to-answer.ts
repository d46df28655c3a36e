import type { Canister } from '@cannery/contract';
import type { CanisterRow } from './store.ts';

/** A canister as the contract shows it; cycles become a number only here. */
export function toAnswer(row: CanisterRow): Canister {
  return {
    id: row.id,
    name: row.name,
    cycles: row.cycles === null ? null : Number(row.cycles),
    cycles_exact: row.cycles === null ? null : row.cycles.toString(),
    status: row.status,
    module_hash: row.module_hash,
    created_at: row.created_at.toISOString(),
    updated_at: row.updated_at?.toISOString() ?? null,
  };
}
