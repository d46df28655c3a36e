import { type ExpressionBuilder, sql } from 'kysely';
import type { Schema } from '../../db/tables/schema.ts';
import type { Reader, Tx } from '../../db/tx.ts';
import { notFound } from '../../errors.ts';

export type DocumentKind = 'wasm' | 'icon';

export interface DocumentName {
  readonly identifier: string;
  readonly userId: string;
  readonly kind: DocumentKind;
}

/**
 * Notes that content is about to be put into the blob store. Nothing of it is collected for the time that uploads are kept, and
 * a collection of the same content that is under way is waited for: commit this before the content is put there.
 */
export async function announceBlob(tx: Tx, identifier: string): Promise<void> {
  await tx
    .insertInto('blobs')
    .values({ identifier })
    .onConflict((conflict) => conflict.column('identifier').doUpdateSet({ stored_at: sql`now()` }))
    .execute();
}

/** Whether a user has a document of this kind. */
export async function ownsDocument(db: Reader, document: DocumentName): Promise<boolean> {
  const found = await db
    .selectFrom('documents')
    .select('identifier')
    .where('user_id', '=', document.userId)
    .where('kind', '=', document.kind)
    .where('identifier', '=', document.identifier)
    .executeTakeFirst();
  return found !== undefined;
}

/**
 * Keeps a document from being collected until the transaction ends: for whoever is about to refer to it.
 * @throws AppError not_found for a document that the user does not have
 */
export async function lockDocument(tx: Tx, document: DocumentName): Promise<void> {
  const found = await tx
    .selectFrom('documents')
    .select('identifier')
    .where('user_id', '=', document.userId)
    .where('kind', '=', document.kind)
    .where('identifier', '=', document.identifier)
    .forKeyShare()
    .executeTakeFirst();
  if (found === undefined) throw notFound('Uploaded file');
}

/** Whether a user may read an icon: it is the user's, or shown to all. */
export async function mayReadIcon(
  db: Reader,
  icon: { identifier: string; userId: string },
): Promise<boolean> {
  const found = await db
    .selectFrom('documents')
    .select('identifier')
    .where('identifier', '=', icon.identifier)
    .where('kind', '=', 'icon')
    .where((where) => where.or([where('user_id', '=', icon.userId), shownToAll(where)]))
    .limit(1)
    .executeTakeFirst();
  return found !== undefined;
}

/** Which icons every signed-in user may read: those of dapps that their owner has in the marketplace. */
function shownToAll({ exists, selectFrom }: ExpressionBuilder<Schema, 'documents'>) {
  return exists(
    selectFrom('dapps')
      .select('dapps.id')
      .whereRef('dapps.icon', '=', 'documents.identifier')
      .whereRef('dapps.user_id', '=', 'documents.user_id')
      .where('dapps.withdrawn_at', 'is', null),
  );
}
