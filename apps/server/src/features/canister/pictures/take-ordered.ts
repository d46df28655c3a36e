import type { PictureFailure } from '@cannery/contract';
import type { BuildMachine } from '../../../builders/machine/build-machine.ts';
import type { AppContext } from '../../../context.ts';
import { canTakePictures, takePicture } from '../../../site-picture/take-picture.ts';
import { endOrder, findOpenOrder, keepPicture, type OpenOrder } from './picture-store.ts';

/**
 * Takes a picture that the owner of a canister has ordered, of the canister's address at the gateway. It is kept with the hash of
 * the module that ran just before and just after; what comes of another module in between is no picture of either.
 */
export async function takeOrdered(
  ctx: AppContext,
  machine: BuildMachine,
  orderId: string,
  signal: AbortSignal,
): Promise<void> {
  const order = await findOpenOrder(ctx.db, orderId);
  if (order === undefined) return;
  const failure = await tryToTake(ctx, machine, order, signal);
  if (failure !== undefined) await ctx.transact((tx) => endOrder(tx, orderId, failure));
}

/** @returns why there is no picture; undefined when the order has ended with one */
async function tryToTake(
  ctx: AppContext,
  machine: BuildMachine,
  order: OpenOrder,
  signal: AbortSignal,
): Promise<PictureFailure | undefined> {
  if (!canTakePictures(machine)) return 'no_browser';
  const { canister_id: canisterId } = order;
  const address = ctx.addresses.canisterUrlPattern.replaceAll('{canisterId}', canisterId);
  const moduleHash = await ctx.ic.moduleHash(canisterId).catch(() => null);
  if (moduleHash === null) return 'no_page';
  try {
    const picture = await takePicture({ ...machine, egress: ctx.egress }, address, signal);
    if ((await ctx.ic.moduleHash(canisterId)) !== moduleHash) return 'changed';
    await ctx.transact((tx) => keepPicture(tx, order, { moduleHash, picture }));
    return undefined;
  } catch (error) {
    // Whoever takes the job over tries it again.
    signal.throwIfAborted();
    ctx.log.info({ err: error, canisterId }, 'no picture of a canister could be taken');
    const now = await findOpenOrder(ctx.db, order.id);
    return now?.origin_at.getTime() === order.origin_at.getTime() ? 'no_page' : 'changed';
  }
}
