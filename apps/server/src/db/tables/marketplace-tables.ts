import type { DappKind } from '@cannery/contract';
import type { Generated, GeneratedAlways } from 'kysely';

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
  /** Name of the sample of the product that it is, of which the marketplace has one; null for what users submit or have changed. */
  sample: Generated<string | null>;
  /** How often a version of it was installed in an empty canister. */
  installs: Generated<number>;
  /** SHA-256 of its picture in `dapp_pictures`, and of the module that the picture shows; both null where there is none. */
  picture: Generated<string | null>;
  picture_of: Generated<string | null>;
  /** How many users have rated it, and the sum of their stars; a trigger of `dapp_ratings` counts. */
  ratings: Generated<number>;
  rating_sum: Generated<number>;
  /** The average; 0 where there is none. */
  rating: GeneratedAlways<number>;
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

/** What a user has rated a dapp. */
interface DappRatingsTable {
  dapp_id: string;
  user_id: string;
  /** 1 to 5. */
  stars: number;
  rated_at: Generated<Date>;
}

export interface MarketplaceTables {
  dapp_ratings: DappRatingsTable;
  dapp_upgrades: DappUpgradesTable;
  dapps: DappsTable;
  dapp_versions: DappVersionsTable;
}
