import type { ColumnType, Generated } from 'kysely';

/** What users have uploaded: the same content of several users is several documents and one blob. */
interface DocumentsTable {
  /** SHA-256 of the content, hex; the content itself is in the blob store. */
  identifier: string;
  user_id: string;
  kind: string;
  /** Bytes that count against the quota: those sent, or those of the texts in `modules` where these are more. */
  size: number;
  created_at: Generated<Date>;
  /** When the user last uploaded it. */
  uploaded_at: Generated<Date>;
}

/** Content that is, or is about to be, in the blob store. */
interface BlobsTable {
  identifier: string;
  /** When it was last put there. */
  stored_at: Generated<Date>;
}

/** What is known of a module by its bytes alone. */
interface ModulesTable {
  identifier: string;
  /** Bytes as uploaded. */
  size: number;
  unpacked_size: number;
  /** Of the unpacked bytes, hex. */
  unpacked_sha256: string;
  /** Names of the exported functions; JSON. */
  exports: ColumnType<string[], string, string>;
  candid: string | null;
  candid_args: string | null;
  stable_types: string | null;
  /** Null where it was never asked. */
  keeps_memory: boolean | null;
  /** Sentences; JSON. */
  warnings: ColumnType<string[], string, string>;
}

export interface DocumentTables {
  documents: DocumentsTable;
  blobs: BlobsTable;
  modules: ModulesTable;
}
