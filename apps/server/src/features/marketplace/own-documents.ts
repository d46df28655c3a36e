import type { Tx } from '../../db/tx.ts';
import { lockDocument } from '../document/store.ts';

/**
 * The documents of a dapp must be its uploader's; they are kept from being collected until the transaction ends.
 * @throws AppError not_found for one of somebody else as for one that does not exist
 */
export async function requireOwnDocuments(
  tx: Tx,
  userId: string,
  { wasm, icon }: { wasm?: string | undefined; icon?: string | null | undefined },
): Promise<void> {
  if (wasm !== undefined) await lockDocument(tx, { identifier: wasm, userId, kind: 'wasm' });
  if (icon) await lockDocument(tx, { identifier: icon, userId, kind: 'icon' });
}
