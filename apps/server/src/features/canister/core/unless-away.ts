import type { AppContext } from '../../../context.ts';
import { isNetworkAway } from '../../../errors.ts';

/**
 * Does a step of ending what was begun on a canister. The network may refuse it, as when others have taken the canister: the
 * other steps are done all the same.
 * @returns why it was refused; undefined when it was done
 * @throws AppError network_unavailable: to be tried again
 */
export async function unlessAway(
  ctx: AppContext,
  canisterId: string,
  step: () => Promise<unknown>,
): Promise<unknown> {
  try {
    await step();
    return undefined;
  } catch (error) {
    if (isNetworkAway(error)) throw error;
    ctx.log.warn({ err: error, canisterId }, 'A step of ending a change of code was refused');
    return error;
  }
}
