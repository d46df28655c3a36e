import type { AppContext } from '../../../context.ts';
import { AppError, isNetworkAway, isRefused } from '../../../errors.ts';
import type { CanisterReport } from '../../../ic/management/canister-report.ts';

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

/** The console acts on no canister that others have taken from it, whatever the code of the canister still lets it do. */
export function notOurs(canisterId: string): AppError {
  return new AppError(
    'network_rejected',
    `The console does not control the canister ${canisterId} any more.`,
    {
      detail:
        'Put the console among its controllers again, or delete the canister, which then only leaves the list.',
    },
  );
}

/**
 * Lets on only what the network has reported of a canister that the console controls. That there is a report says nothing of that:
 * a canister may let everybody read its status.
 * @throws AppError network_rejected
 */
export function mustBeOurs(
  { ic }: { readonly ic: Pick<AppContext['ic'], 'principal'> },
  canisterId: string,
  { settings }: Pick<CanisterReport, 'settings'>,
): void {
  if (!settings.controllers.includes(ic.principal)) throw notOurs(canisterId);
}

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
