import { amountToCycles, isTopUpAmount } from '@cannery/contract';
import type { AppContext } from '../../context.ts';
import { AppError } from '../../errors.ts';
import type { Actor } from '../../http/actor.ts';
import { carryOutIntent } from './carry-out-intent.ts';
import { awaitEarlierPayment, type PaymentRequest } from './earlier-payment.ts';
import { intendPayment } from './intend-payment.ts';
import { recordStatus } from './record-status.ts';
import { runAction } from './run-action.ts';
import { type CanisterRow, findCanister } from './store.ts';

/**
 * Moves cycles from the account to a canister.
 * @param input.amount in T, cut to two decimals
 * @param input.key what the client calls this request: of requests of one key, one is carried out and all get its answer
 * @throws AppError invalid_input, canister_busy, insufficient_balance, network_rejected or network_unavailable
 */
export async function topUp(
  ctx: AppContext,
  user: Actor,
  input: { canisterId: string; amount: number; key?: string },
): Promise<CanisterRow> {
  // Numbers that JavaScript prints with an exponent are beyond what the amount rule reads.
  if (input.amount > Number.MAX_SAFE_INTEGER || !isTopUpAmount(input.amount)) {
    throw new AppError('invalid_input', 'Invalid Amount');
  }
  const cycles = amountToCycles(input.amount);
  const request: PaymentRequest = { kind: 'topup', key: input.key, cycles, canisterId: input.canisterId };
  if ((await awaitEarlierPayment(ctx, user, request)) !== undefined) {
    return findCanister(ctx.db, user.id, input.canisterId);
  }
  return runAction(ctx, user, input.canisterId, async (canister) => {
    ctx.reach('topup.claimed');
    const { cycles: cyclesBefore } = await ctx.ic.status(canister.id, { fast: true });
    const call = await ctx.ic.signTopUp(canister.id, cycles);
    ctx.reach('topup.signed');
    const intent = await intendPayment(ctx, user, { ...request, canisterName: null, cyclesBefore, call });
    if (intent === undefined) {
      throw new AppError('canister_busy', 'The same request has just been carried out. Send it again.');
    }
    ctx.reach('topup.intended');
    await carryOutIntent(ctx, intent);
    return recordStatus(ctx, user, canister.id, { known: { cycles: cyclesBefore + cycles } });
  });
}
