import { DamagedBlobError, MissingBlobError } from '../../../blobs/blob-store.ts';
import type { AppContext } from '../../../context.ts';
import { storePicture } from '../../document/store-upload.ts';

/**
 * The content of a picture.
 * @returns null when it cannot be had, which the operator is told
 * @throws AppError storage_unavailable
 */
export async function contentOf(
  ctx: AppContext,
  { identifier, picture }: { identifier: string | null; picture: Buffer | null },
): Promise<Buffer | null> {
  if (identifier === null) return picture;
  try {
    return await ctx.blobs.get(identifier);
  } catch (error) {
    if (!(error instanceof MissingBlobError || error instanceof DamagedBlobError)) throw error;
    ctx.log.error({ err: error }, 'a picture of a website cannot be read');
    return null;
  }
}

/**
 * Puts the pictures that servers of before have kept in the database into the blob store, one after another. It may be ended at any time and
 * begun again.
 * @param isOver whether to leave the rest for another time
 * @throws AppError storage_unavailable; what the database throws
 */
export async function movePictures(ctx: AppContext, isOver: () => boolean): Promise<void> {
  while (!isOver()) {
    const row = await ctx.db
      .selectFrom('site_pictures')
      .select(['canister_id', 'instance_id', 'picture'])
      .where('picture', 'is not', null)
      .limit(1)
      .executeTakeFirst();
    if (row?.picture == null) return;
    const identifier = await storePicture(ctx, row.picture);
    await ctx.transact((tx) =>
      tx
        .updateTable('site_pictures')
        .set({ identifier, picture: null })
        .where('canister_id', '=', row.canister_id)
        .where('instance_id', '=', row.instance_id)
        // A new one that was taken meanwhile is in the blob store already.
        .where('picture', 'is not', null)
        .execute(),
    );
  }
}
