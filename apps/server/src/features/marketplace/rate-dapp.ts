import type { OwnRating } from '@cannery/contract';
import type { Actor, AppContext } from '../../context.ts';
import { AppError, notFound } from '../../errors.ts';
import { deleteRating, findRating, saveRating } from './rating-store.ts';

/** What a user has to do with the ratings of a dapp. @throws AppError not_found */
export async function readRating(ctx: AppContext, user: Actor, dappId: string): Promise<OwnRating> {
  const rating = await findRating(ctx.db, { dappId, userId: user.id });
  if (rating === undefined) throw notFound('Dapp');
  return rating;
}

/**
 * Rates a dapp, or withdraws the rating, which is possible at any time.
 * @param input.stars 1 to 5; null withdraws
 * @throws AppError not_found where the user has no canister with such a dapp, or has published it
 */
export async function rateDapp(
  ctx: AppContext,
  user: Actor,
  { dappId, stars }: { dappId: string; stars: number | null },
): Promise<void> {
  const place = { dappId, userId: user.id };
  if (stars === null) return deleteRating(ctx.db, place);
  if (await saveRating(ctx.db, { ...place, stars })) return;
  throw new AppError(
    'not_found',
    'You can rate a dapp of somebody else that one of your canisters has. Install it first.',
  );
}
