import { formatTrillions } from '@cannery/contract';
import type { AppContext } from '../../context.ts';
import { AppError } from '../../errors.ts';
import type { Actor } from '../../http/actor.ts';
import { lockAccount } from '../account/store.ts';

/**
 * Makes sure that an account can pay for several canisters before the first is created, so that none is created for a
 * project that cannot be paid as a whole.
 * @throws AppError insufficient_balance
 */
export async function checkCreations(ctx: AppContext, user: Actor, count: number): Promise<void> {
  if (count < 2) return;
  const { balance, held } = await ctx.transact((tx) => lockAccount(tx, user.id));
  const cost = ctx.config.canisterCreateCost * BigInt(count);
  if (balance - held >= cost) return;
  throw new AppError(
    'insufficient_balance',
    `Your balance is ${formatTrillions(balance - held)}; the ${count} canisters to be created need ${formatTrillions(cost)}.`,
  );
}
