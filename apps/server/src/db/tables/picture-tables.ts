import type { PictureFailure } from '@cannery/contract';
import type { Generated } from 'kysely';

/** The newest picture of what a canister serves. */
interface CanisterPicturesTable {
  canister_id: string;
  /** Hash of the module that it shows: it ran just before and just after. Hex. */
  module_hash: string;
  /** SHA-256 of the picture, hex. */
  digest: string;
  /** JPEG. */
  picture: Buffer;
  taken_at: Generated<Date>;
}

/** A picture that the owner of a canister has asked for. */
interface PictureOrdersTable {
  id: string;
  user_id: string;
  /** Null when the canister is gone. */
  canister_id: string | null;
  ordered_at: Generated<Date>;
  ended_at: Date | null;
  /** Why it has brought none; null while it has not ended, and for one that has. */
  failure: PictureFailure | null;
}

/** The picture that the publisher of a dapp has chosen; `dapps` says which it is, and what it shows. */
interface DappPicturesTable {
  dapp_id: string;
  /** JPEG. */
  picture: Buffer;
}

export interface PictureTables {
  canister_pictures: CanisterPicturesTable;
  picture_orders: PictureOrdersTable;
  dapp_pictures: DappPicturesTable;
}
