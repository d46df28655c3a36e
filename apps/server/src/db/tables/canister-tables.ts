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

/**
 * A change of the code of a canister with a snapshot to go back to, by a run of a deploy or from one version of a dapp to
 * another. It is written before the canister is stopped. While it is neither `upgraded` nor `returned` the canister may be
 * stopped, and no other action runs on it.
 */
export interface CodeChangesTable {
  canister_id: string;
  /** Order of beginning. */
  seq: Generated<number>;
  user_id: string;
  cause: 'run' | 'dapp';
  phase: 'upgrading' | 'upgraded' | 'restoring' | 'restored' | 'returned';
  /** Whether it is to run afterwards. */
  was_running: boolean;
  /** Hashes of the code to go back to, and of the code that an upgrade gives it; hex. */
  before_hash: string;
  target_hash: string;
  /** Where the code of before came from; null in a row of before that was recorded, and for a way back of a dapp. */
  before_origin: ColumnType<CodeOrigin | null, string | null, never>;
  /** Ids of the snapshots that it had before. */
  snapshots_before: string[];
  /** The snapshot to go back to; null before an upgrade has taken it. */
  snapshot_id: string | null;
  /** For a run: its id, and the name of the canister in the project. */
  instance_id: string | null;
  name: string | null;
  /** For an upgrade of a dapp: the name of the version that ran before. */
  before_version: string | null;
  /** What the client called its request, if it did, and what tells it from every other one under the same key. */
  request_key: string | null;
  request_hash: string | null;
  created_at: Generated<Date>;
}

export interface CanisterTables {
  code_changes: CodeChangesTable;
  snapshot_origins: SnapshotOriginsTable;
  canister_changes: CanisterChangesTable;
  canister_log_records: CanisterLogRecordsTable;
  canister_balances: CanisterBalancesTable;
}
