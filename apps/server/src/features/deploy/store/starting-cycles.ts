import { amountToCycles, formatTrillions, type StartingCycles, STARTING_MOST_T } from '@cannery/contract';
import type { AppContext } from '../../../context.ts';
import { AppError } from '../../../errors.ts';
import type { DeploySettings } from '../../../db/tables/deploy-settings.ts';

/** A deploy as far as one of its settings is asked for. */
interface DeployWith<Name extends keyof DeploySettings> {
  readonly settings: Pick<DeploySettings, Name>;
}

/** Canisters that settings say something of. */
const MOST = 50;

/**
 * What new canisters start with, as it is kept: exact cycles by the names of canisters.
 * @throws AppError invalid_input for an amount below what a creation costs, or above what is allowed
 */
export function startingCyclesOf(
  { config }: Pick<AppContext, 'config'>,
  given: readonly StartingCycles[] | undefined,
): DeploySettings['starting_cycles'] | undefined {
  if (given === undefined) return undefined;
  if (given.length > MOST) throw new AppError('invalid_input', `At most ${MOST} canisters.`);
  const least = config.canisterCreateCost;
  const entries = given.map(({ canister, amount }) => {
    const cycles = amountToCycles(amount);
    const name = canister.trim();
    if (name.includes('\0') || name === '')
      throw new AppError('invalid_input', 'Name the canister as the project does.');
    if (cycles < least || amount > STARTING_MOST_T) {
      throw new AppError(
        'invalid_input',
        `A new canister starts with ${formatTrillions(least)} at least and ${STARTING_MOST_T} T at most.`,
      );
    }
    return [name, cycles.toString()] as const;
  });
  return Object.fromEntries(entries);
}

/** What creating a canister of a deploy costs, which it starts with. */
export function creationCost(
  { config }: Pick<AppContext, 'config'>,
  { settings: { starting_cycles: set } }: DeployWith<'starting_cycles'>,
  name: string,
): bigint {
  const own = Object.hasOwn(set, name) ? set[name] : undefined;
  const least = config.canisterCreateCost;
  // The operator may have raised the price since.
  return own === undefined || BigInt(own) < least ? least : BigInt(own);
}
