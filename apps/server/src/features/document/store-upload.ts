import type { IncomingBlob } from '../../blobs/blob-store.ts';
import type { AppContext } from '../../context.ts';
import type { Tx } from '../../db/tx.ts';
import type { Actor } from '../../http/actor.ts';
import { announceBlob, type DocumentKind } from './store.ts';
import { keepDocument, reserveUpload } from './upload-quota.ts';

/** Puts content into the blob store. It is collected after a while if no row of the database names it by then. */
export async function storeContent(ctx: AppContext, incoming: IncomingBlob): Promise<void> {
  await ctx.transact((tx) => announceBlob(tx, incoming.hash));
  ctx.failpoint('upload.announced');
  await incoming.keep();
  ctx.failpoint('upload.kept');
}

/** Puts a picture that this server has drawn into the blob store, as `storeContent` does. @returns its identifier */
export async function storePicture(ctx: AppContext, picture: Uint8Array): Promise<string> {
  const incoming = await ctx.blobs.receive([picture]);
  try {
    await storeContent(ctx, incoming);
  } finally {
    await incoming.discard();
  }
  return incoming.hash;
}

interface NewUpload {
  readonly kind: DocumentKind;
  readonly incoming: IncomingBlob;
  /** Bytes that rows keep of it besides the content; the upload counts as these where they are more. */
  readonly rowBytes?: number;
  /** Written together with the document. */
  readonly more?: (tx: Tx) => Promise<void>;
}

/**
 * Makes content that has come and is checked a document of a user. Everything is done whether the content is known or not, so that
 * neither answer nor time tells a user that somebody else has it.
 * @returns its identifier
 * @throws AppError quota_reached; nothing is stored then
 */
export async function storeUpload(
  ctx: AppContext,
  user: Actor,
  { kind, incoming, rowBytes = 0, more }: NewUpload,
): Promise<string> {
  const { hash: identifier } = incoming;
  // What was sent packed may be kept unpacked.
  const size = Math.max(incoming.size, rowBytes);
  const document = { identifier, userId: user.id, kind, size };
  await using room = await reserveUpload(ctx, document);
  await storeContent(ctx, incoming);
  await ctx.transact(async (tx) => {
    await keepDocument(ctx, tx, document, room);
    await more?.(tx);
  });
  return identifier;
}
