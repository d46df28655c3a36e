import type { Generated } from 'kysely';

/** Where blobs are: one row. */
interface BlobPlaceTable {
  only_row: boolean;
  /** The mark that the place carries as well, by which a process knows that it has the same one. */
  id: string;
  kind: 'folder' | 'bucket';
  /** For the operator. */
  name: string;
  /** The process that has a folder, while it runs. */
  holder: string | null;
  held_until: Date | null;
}

/** Pictures of users, drawn again. */
interface AvatarsTable {
  user_id: string;
  /** Of the address that it was fetched from. */
  address_key: string;
  /** A PNG in the blob store. */
  identifier: string;
  drawn_at: Generated<Date>;
}

export interface SharedTables {
  avatars: AvatarsTable;
  blob_place: BlobPlaceTable;
}
