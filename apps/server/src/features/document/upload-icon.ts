import type { AppContext } from '../../context.ts';
import { AppError, textOf } from '../../errors.ts';
import { userTenant } from '../../fairness/callers.ts';
import { FairTurns } from '../../fairness/fair-turns.ts';
import type { Actor } from '../../http/actor.ts';
import { PictureError, redrawWhole } from '../../picture/redraw-picture.ts';
import { ThreadError } from '../../thread/run-in-thread.ts';
import { storeUpload } from './store-upload.ts';
import { withinQuota } from './upload-quota.ts';

/** Pixels: the largest place is 128 px wide, on screens of two pixels to one. */
const EDGE = 256;
/** Pictures drawn at a time: each may take some 300 MB while it is unpacked. */
const turns = new FairTurns({ most: 2, perTenant: 1, waitingPerTenant: 4, what: 'icons' });

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
  const icon = await turns.take(userTenant(user.id), () => draw(original));
  const incoming = await ctx.blobs.receive([icon]);
  try {
    return { identifier: await storeUpload(ctx, user, { kind: 'icon', incoming }) };
  } finally {
    await incoming.discard();
  }
}

async function draw(original: Buffer): Promise<Buffer> {
  try {
    return await redrawWhole(original, EDGE);
  } catch (error) {
    if (!(error instanceof PictureError || error instanceof ThreadError)) throw error;
    // What the decoder says of damaged bytes is no help to anybody.
    const damaged = error instanceof ThreadError && error.reason === 'failure';
    throw new AppError('invalid_icon', 'Invalid file format. Only PNG, GIF or JPEG allowed.', {
      detail: damaged ? 'The picture is damaged or cut short.' : textOf(error),
      cause: error,
    });
  }
}
