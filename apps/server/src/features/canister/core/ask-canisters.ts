import type { AppContext } from '../../../context.ts';
import { isNetworkAway } from '../../../errors.ts';
import type { CanisterReport } from '../../../ic/management/canister-report.ts';

/**
 * Asks the network for the state of canisters by queries, this many at once, and hands each answer to `keep`. What cannot
 * be read is left out; a network that is away is not asked for the rest.
 */
export async function askCanisters<Canister extends { readonly id: string }>(
  ctx: AppContext,
  canisters: readonly Canister[],
  atOnce: number,
  keep: (canister: Canister, report: CanisterReport, askedAt: Date) => void,
): Promise<void> {
  const queue = [...canisters];
  const work = async (): Promise<void> => {
    for (let canister = queue.shift(); canister !== undefined; canister = queue.shift()) {
      try {
        const askedAt = new Date();
        keep(canister, await ctx.ic.status(canister.id, { fast: true }), askedAt);
      } catch (error) {
        ctx.log.debug({ err: error, canisterId: canister.id }, 'The state of a canister could not be read');
        if (isNetworkAway(error)) queue.length = 0;
      }
    }
  };
  await Promise.all(Array.from({ length: atOnce }, work));
}
