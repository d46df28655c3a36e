import type { DappKind } from '@cannery/contract';
import type { Generated } from 'kysely';

export interface DappsTable {
  id: string;
  /** Order of submission; times alone may tie. */
  seq: Generated<number>;
  user_id: string;
  name: string;
  git_url: string | null;
  description: string;
  /** Identifier of a document. */
  icon: string | null;
  kind: DappKind | null;
  /** Module and name of the newest version. */
  wasm: string;
  version: string;
  /** Name of the sample of the product that it was made from; null for what users submit. */
  sample: Generated<string | null>;
  /** How often a version of it was installed in an empty canister. */
  installs: Generated<number>;
  /** What it is found by; a tsvector. */
  words: string;
  created_at: Generated<Date>;
  updated_at: Generated<Date>;
  /** When the uploader has taken it out of the marketplace; the canisters that have it still name it. */
  withdrawn_at: Date | null;
}

/** Every module of a dapp. */
export interface DappVersionsTable {
  id: string;
  seq: Generated<number>;
  dapp_id: string;
  version: string;
  notes: string;
  /** SHA-256 of the module: its document, and its hash on the network. */
  identifier: string;
  created_at: Generated<Date>;
}

/** The snapshot that the last upgrade of a canister to a newer version has taken. */
export interface DappUpgradesTable {
  canister_id: string;
  user_id: string;
  snapshot_id: string;
  /** Name and hash of what ran before. */
  version: string;
  module_hash: string;
  /** Id of the version that it has led to; the way back is from there only. */
  to_version: string | null;
  taken_at: Generated<Date>;
}

/**
 * A canister on the way from one version of its dapp to another: written before the canister is stopped, deleted when it
 * runs again.
 */
export interface VersionChangesTable {
  canister_id: string;
  user_id: string;
  kind: 'upgrade' | 'back';
  /** Hash of the code that the canister has when the change is done. */
  target_hash: string;
  /** Whether it is to run afterwards. */
  was_running: boolean;
  /** What ran before; only for an upgrade. */
  before_version: string | null;
  before_hash: string | null;
  /** Ids of the snapshots that were there before. */
  snapshots_before: string[];
  /** The snapshot that an upgrade has taken, null before that; or the one to go back to. */
  snapshot_id: string | null;
  /** What the client called its request, if it did, and what tells it from every other one under the same key. */
  request_key: string | null;
  request_hash: string | null;
  created_at: Generated<Date>;
}

export interface MarketplaceTables {
  version_changes: VersionChangesTable;
  dapp_upgrades: DappUpgradesTable;
  dapps: DappsTable;
  dapp_versions: DappVersionsTable;
}
