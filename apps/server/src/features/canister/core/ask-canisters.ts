import type { AppContext } from '../../../context.ts';
import { isNetworkAway } from '../../../errors.ts';
import type { CanisterReport } from '../../../ic/management/canister-report.ts';

/**
 * Asks the network for the state of canisters by queries, this many at once, and hands each answer to `keep`. What cannot
 * be read or kept is left out; a network that is away is not asked for the rest.
 * @returns how many answers were kept
 */
export async function askCanisters<Canister extends { readonly id: string }>(
  ctx: AppContext,
  canisters: readonly Canister[],
  atOnce: number,
  keep: (canister: Canister, report: CanisterReport, askedAt: Date) => Promise<void> | void,
): Promise<number> {
  const queue = [...canisters];
  let kept = 0;
  const work = async (): Promise<void> => {
    for (let canister = queue.shift(); canister !== undefined; canister = queue.shift()) {
      try {
        const askedAt = new Date();
        await keep(canister, await ctx.ic.status(canister.id, { fast: true }), askedAt);
        kept++;
      } catch (error) {
        ctx.log.debug({ err: error, canisterId: canister.id }, 'The state of a canister could not be read');
        if (isNetworkAway(error)) queue.length = 0;
      }
    }
  };
  await Promise.all(Array.from({ length: atOnce }, work));
  return kept;
}
