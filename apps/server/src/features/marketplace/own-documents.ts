import type { Reader } from '../../db/tx.ts';
import { notFound } from '../../errors.ts';
import { ownsDocument } from '../document/store.ts';

/**
 * The documents of a dapp must be its uploader's.
 * @throws AppError not_found for one of somebody else as for one that does not exist
 */
export async function requireOwnDocuments(
  db: Reader,
  userId: string,
  { wasm, icon }: { wasm?: string | undefined; icon?: string | null | undefined },
): Promise<void> {
  if (wasm !== undefined && !(await ownsDocument(db, { identifier: wasm, userId, kind: 'wasm' }))) {
    throw notFound('Uploaded file');
  }
  if (icon && !(await ownsDocument(db, { identifier: icon, userId, kind: 'icon' }))) {
    throw notFound('Uploaded icon');
  }
}
