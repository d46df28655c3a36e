import type { canisterChangeKinds } from '@cannery/contract';
import type { ColumnType, Generated } from 'kysely';
import type { CodeOrigin } from './code-origin.ts';

/** What happened to a canister, written together with what the console knows of it. */
export interface CanisterChangesTable {
  id: string;
  seq: Generated<number>;
  canister_id: string;
  kind: (typeof canisterChangeKinds)[number];
  /** Username; null for a change made outside the console. */
  actor: string | null;
  detail: string | null;
  created_at: Generated<Date>;
}

/** What a canister wrote, fetched from the network. */
export interface CanisterLogRecordsTable {
  canister_id: string;
  idx: number;
  written_at: Date;
  content: string;
  /** The content in lower case, for searching. */
  folded: string;
}

/** What a canister had when the network was asked. */
export interface CanisterBalancesTable {
  canister_id: string;
  /** Steps of `SLOT_SECONDS` since 1970; the newest balance of a slot stays. */
  slot: number;
  taken_at: Date;
  cycles: ColumnType<bigint, bigint, bigint>;
}

/** Where the code in a snapshot came from, as it was written down when the console took the snapshot. */
interface SnapshotOriginsTable {
  canister_id: string;
  snapshot_id: string;
  /** Hex. */
  module_hash: string;
  origin: ColumnType<CodeOrigin, string, string>;
}

export interface CanisterTables {
  snapshot_origins: SnapshotOriginsTable;
  canister_changes: CanisterChangesTable;
  canister_log_records: CanisterLogRecordsTable;
  canister_balances: CanisterBalancesTable;
}
