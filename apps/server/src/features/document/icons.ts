import type { AppContext } from '../../context.ts';
import { AppError, notFound } from '../../errors.ts';
import { userTenant } from '../../fairness/callers.ts';
import type { Actor } from '../../http/actor.ts';
import { PictureError } from '../../picture/picture-error.ts';
import { type Original, redrawWhole } from '../../picture/redraw-picture.ts';
import { storeUpload } from './store-upload.ts';
import { withinQuota } from './upload-quota.ts';
import { mayReadIcon } from './store.ts';

/** Pixels: the largest place is 128 px wide, on screens of two pixels to one. */
const EDGE = 256;

/**
 * Stores a PNG, GIF or JPEG picture as an icon: drawn again, so that nothing but its pixels is kept.
 * @returns its identifier, the SHA-256 of what is stored
 * @throws AppError invalid_icon, payload_too_large or quota_reached; nothing is stored then
 */
export async function uploadIcon(
  ctx: AppContext,
  user: Actor,
  content: AsyncIterable<Uint8Array>,
): Promise<{ identifier: string }> {
  const original = Buffer.concat(await Array.fromAsync(withinQuota(ctx, user, content)));
  const icon = await draw({ bytes: original, tenant: userTenant(user.id) });
  const incoming = await ctx.blobs.receive([icon]);
  try {
    return { identifier: await storeUpload(ctx, user, { kind: 'icon', incoming }) };
  } finally {
    await incoming.discard();
  }
}

async function draw(original: Original): Promise<Buffer> {
  try {
    return await redrawWhole(original, EDGE);
  } catch (error) {
    if (!(error instanceof PictureError)) throw error;
    throw new AppError('invalid_icon', 'Invalid file format. Only PNG, GIF or JPEG allowed.', {
      detail: error.message,
      cause: error,
    });
  }
}

/**
 * An icon as a data URL. It is always a PNG that this server drew, so nothing of an upload is ever answered as it came.
 * @throws AppError not_found for an identifier that the user may not read
 */
export async function readIcon(ctx: AppContext, user: Actor, identifier: string): Promise<string> {
  if (!(await mayReadIcon(ctx.db, { identifier, userId: user.id }))) throw notFound('Icon');
  const icon = await ctx.blobs.get(identifier);
  return `data:image/png;base64,${icon.toString('base64')}`;
}
