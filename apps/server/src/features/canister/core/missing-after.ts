import type { AppContext } from '../../../context.ts';
import { isRefused } from '../../../errors.ts';

/** A canister that is not there for the console any more: gone from the network, or taken from the console. */
export type Missing = 'gone' | 'lost';

/**
 * Why the network may have refused an action on a canister: the certified state says whether the canister is there and who
 * controls it. No text or code of the refusal is believed, since what follows is that the canister leaves the list.
 * @returns undefined for a canister that the console has, or an error that is no refusal
 * @throws AppError network_unavailable
 */
export async function missingAfter(
  ctx: AppContext,
  canisterId: string,
  error: unknown,
): Promise<Missing | undefined> {
  if (!isRefused(error)) return undefined;
  const { standing } = await ctx.ic.certified(canisterId);
  return standing === 'ours' ? undefined : standing;
}
