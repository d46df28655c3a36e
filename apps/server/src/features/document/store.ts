import type { Reader, Tx } from '../../db/tx.ts';

export type DocumentKind = 'wasm';

/** Notes that a user owns a document; the same content uploaded twice is one document. */
export async function keepDocument(
  tx: Tx,
  document: { identifier: string; userId: string; kind: DocumentKind; size: number },
): Promise<void> {
  await tx
    .insertInto('documents')
    .values({
      identifier: document.identifier,
      user_id: document.userId,
      kind: document.kind,
      size: document.size,
    })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

/** Bytes of all documents of a user. */
export async function bytesOfUser(db: Reader, userId: string): Promise<number> {
  const { bytes } = await db
    .selectFrom('documents')
    .select(({ fn }) => fn.sum<bigint | null>('size').as('bytes'))
    .where('user_id', '=', userId)
    .executeTakeFirstOrThrow();
  return Number(bytes ?? 0n);
}

/** Whether a user has a document of this kind. */
export async function ownsDocument(
  db: Reader,
  document: { identifier: string; userId: string; kind: DocumentKind },
): Promise<boolean> {
  const found = await db
    .selectFrom('documents')
    .select('identifier')
    .where('user_id', '=', document.userId)
    .where('kind', '=', document.kind)
    .where('identifier', '=', document.identifier)
    .executeTakeFirst();
  return found !== undefined;
}
