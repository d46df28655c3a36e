import type { canisterChangeKinds } from '@cannery/contract';
import type { Generated } from 'kysely';

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

export interface CanisterTables {
  canister_changes: CanisterChangesTable;
  canister_log_records: CanisterLogRecordsTable;
}
