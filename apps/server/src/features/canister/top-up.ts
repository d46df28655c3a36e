import { amountToCycles, isTopUpAmount } from '@cannery/contract';
import type { AppContext } from '../../context.ts';
import { AppError } from '../../errors.ts';
import type { Actor } from '../../http/actor.ts';
import { hold } from '../account/holds.ts';
import { carryOutIntent } from './carry-out-intent.ts';
import { insertIntent } from './intents.ts';
import { recordStatus } from './record-status.ts';
import { runAction } from './run-action.ts';
import type { CanisterRow } from './store.ts';

/**
 * Moves cycles from the account to a canister.
 * @param input.amount in T, cut to two decimals
 * @throws AppError invalid_input, insufficient_balance, network_rejected or network_unavailable
 */
export async function topUp(
  ctx: AppContext,
  user: Actor,
  input: { canisterId: string; amount: number },
): Promise<CanisterRow> {
  // Numbers that JavaScript prints with an exponent are beyond what the amount rule reads.
  if (input.amount > Number.MAX_SAFE_INTEGER || !isTopUpAmount(input.amount)) {
    throw new AppError('invalid_input', 'Invalid Amount');
  }
  const cycles = amountToCycles(input.amount);
  return runAction(ctx, user, input.canisterId, async (canister) => {
    const { cycles: cyclesBefore } = await ctx.ic.status(canister.id, { fast: true });
    const call = await ctx.ic.signTopUp(canister.id, cycles);
    const intent = await ctx.transact(async (tx) => {
      const held = await hold(tx, { userId: user.id, amount: cycles, purpose: 'CANISTER_TOPUP' });
      return insertIntent(tx, {
        kind: 'topup',
        userId: user.id,
        holdId: held.id,
        canisterId: canister.id,
        canisterName: null,
        cycles,
        cyclesBefore,
        call,
      });
    });
    await carryOutIntent(ctx, intent);
    return recordStatus(ctx, user, canister.id, { known: { cycles: cyclesBefore + cycles } });
  });
}
