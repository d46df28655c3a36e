import type { CanisterPicture } from '@cannery/contract';
import type { AppContext } from '../../../context.ts';
import { AppError } from '../../../errors.ts';
import type { Actor } from '../../../http/actor.ts';
import { takenPictureAddress } from '../../../http/site-pictures.ts';
import { servesHttp } from '../core/serves-http.ts';
import { type CanisterRow, findCanister } from '../core/store.ts';
import { currentPicture, takenPictures } from '../core/taken-pictures.ts';
import { pictureQueue } from './picture-queue.ts';
import { insertOrder, lastOrder } from './picture-store.ts';

/** What there is of pictures of a canister of the user. @throws AppError not_found */
export async function readPicture(
  ctx: AppContext,
  user: Actor,
  canisterId: string,
): Promise<CanisterPicture> {
  const row = await findCanister(ctx.db, user.id, canisterId);
  const taken = currentPicture(row, (await takenPictures(ctx.db, user.id, row.id)).get(row.id));
  const order = await lastOrder(ctx.db, row.id);
  return {
    picture: taken === undefined ? null : takenPictureAddress(ctx.addresses, row.id, taken.digest),
    taken_at: taken?.taken_at.toISOString() ?? null,
    ordered: order?.isOpen === true,
    failure: order?.failure ?? null,
  };
}

/**
 * Has a picture taken of what a canister of the user serves. The next picture of a user waits behind those of others.
 * @throws AppError not_found, invalid_input for a canister that is not known to answer HTTP or a server that takes no pictures,
 * rate_limited
 */
export async function orderPicture(ctx: AppContext, user: Actor, canisterId: string): Promise<void> {
  if (!servesSite(await findCanister(ctx.db, user.id, canisterId))) {
    throw new AppError(
      'invalid_input',
      'The canister is not known to answer HTTP, so there is nothing to see.',
    );
  }
  if (!ctx.config.sitePictures) throw new AppError('invalid_input', 'This server takes no pictures.');
  await ctx.transact(async (tx) => {
    const order = await insertOrder(tx, { userId: user.id, canisterId });
    if (order === undefined) return;
    const place = { tenant: user.id, turn: order.earlier };
    await ctx.jobs.send(tx, pictureQueue, { orderId: order.id }, place);
  });
}

/**
 * Has a picture taken of a canister that has just got code, if it answers HTTP. A user who has had too many taken gets none; the
 * installation is none the worse.
 */
export async function orderAfterInstall(ctx: AppContext, user: Actor, canisterId: string): Promise<void> {
  if (!ctx.config.sitePictures) return;
  try {
    if (servesSite(await findCanister(ctx.db, user.id, canisterId)))
      await orderPicture(ctx, user, canisterId);
  } catch (error) {
    ctx.log.info({ err: error, canisterId }, 'no picture was ordered after an installation');
  }
}

const servesSite = (row: CanisterRow): boolean => servesHttp(row) === true;
