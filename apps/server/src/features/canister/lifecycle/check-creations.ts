import { formatTrillions, spendableTrillions } from '@cannery/contract';
import type { AppContext } from '../../../context.ts';
import { AppError } from '../../../errors.ts';
import type { Actor } from '../../../http/actor.ts';
import { lockAccount } from '../../account/store.ts';

/**
 * Makes sure that an account can pay for canisters before the first is created, so that none is created for a project that
 * cannot be paid as a whole.
 * @param costs what creating each costs
 * @throws AppError insufficient_balance
 */
export async function checkCreations(ctx: AppContext, user: Actor, costs: readonly bigint[]): Promise<void> {
  if (costs.length < 2) return;
  const spendable = await spendableBy(ctx, user);
  const cost = costs.reduce((sum, one) => sum + one, 0n);
  if (spendable >= cost) return;
  throw new AppError(
    'insufficient_balance',
    `Your balance is ${spendableTrillions(spendable)}; the ${costs.length} canisters to be created need ${formatTrillions(cost)}.`,
  );
}

/** The cycles that an account can spend. */
export async function spendableBy(ctx: AppContext, user: Actor): Promise<bigint> {
  const { balance, held } = await ctx.transact((tx) => lockAccount(tx, user.id));
  return balance - held;
}
