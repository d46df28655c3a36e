import type { Generated } from 'kysely';

export interface RegistriesTable {
  id: string;
  user_id: string;
  name: string;
  /** Number of the newest version. */
  version: number;
  /** Module of the newest version; also in its row, and here so that a list reads one table. */
  identifier: string;
  created_at: Generated<Date>;
  /** What the name is searched by, sorted by, and found by in an index (`search-keys.ts`). */
  search_text: string;
  sort_text: string;
  pieces: number[];
}

/** Every module that a registry has had. */
interface RegistryVersionsTable {
  registry_id: string;
  /** From 1. */
  version: number;
  user_id: string;
  /** A document of the same user, of the kind 'wasm'. */
  identifier: string;
  created_at: Generated<Date>;
}

/** A request that was carried out under an `Idempotency-Key`. */
interface KeptAnswersTable {
  user_id: string;
  request_key: string;
  /** SHA-256 of what was asked for, hex: the same key with another request is refused. */
  request_hash: string;
  answer: string;
  created_at: Generated<Date>;
}

export interface RegistryTables {
  registries: RegistriesTable;
  registry_versions: RegistryVersionsTable;
  kept_answers: KeptAnswersTable;
}
