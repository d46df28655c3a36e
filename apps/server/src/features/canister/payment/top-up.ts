import { setTimeout as delay } from 'node:timers/promises';
import { amountToCycles, isTopUpAmount } from '@cannery/contract';
import type { AppContext } from '../../../context.ts';
import { AppError } from '../../../errors.ts';
import type { Actor } from '../../../http/actor.ts';
import { bookTopUp } from './book-top-up.ts';
import { carryOutIntent } from './carry-out-intent.ts';
import { completeIntent } from './complete-intent.ts';
import { awaitEarlierPayment, type PaymentRequest } from './earlier-payment.ts';
import { intendPayment } from './intend-payment.ts';
import { isStill } from './ready-deletion.ts';
import { recordStatus } from '../balance/record-status.ts';
import { runAction } from '../core/run-action.ts';
import { type CanisterRow, findCanister, stateOf } from '../core/store.ts';

/** How long a request that has a key waits for a canister that another one has: that may be the same request. */
const PATIENCE_MS = 3_000;
const RETRY_MS = 100;

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
  const request = {
    kind: 'topup',
    key: input.key,
    cycles: amountToCycles(input.amount),
    canisterId: input.canisterId,
  } as const satisfies PaymentRequest;
  for (const giveUpAt = performance.now() + PATIENCE_MS; ; await delay(RETRY_MS)) {
    if ((await awaitEarlierPayment(ctx, user, request)) !== undefined) {
      return findCanister(ctx.db, user.id, request.canisterId);
    }
    try {
      return await payNow(ctx, user, request);
    } catch (error) {
      const isBusy = error instanceof AppError && error.code === 'canister_busy';
      if (!isBusy || request.key === undefined || performance.now() > giveUpAt) throw error;
    }
  }
}

function payNow(
  ctx: AppContext,
  user: Actor,
  request: PaymentRequest & { readonly canisterId: string },
): Promise<CanisterRow> {
  const { canisterId, cycles } = request;
  return runAction(ctx, user, canisterId, async (claimed, lease) => {
    ctx.failpoint('topup.claimed');
    const report = await ctx.ic.status(claimed.id, { fast: true });
    const { cycles: before } = report;
    const cyclesBefore = isStill(report, ctx.ic.principal) ? before : null;
    const call = await ctx.ic.signTopUp(claimed.id, cycles);
    ctx.failpoint('topup.signed');
    const intent = await intendPayment(ctx, user, {
      ...request,
      lease: lease.id,
      canisterName: null,
      cyclesBefore,
      call,
    });
    if (intent === undefined) {
      throw new AppError(
        'canister_busy',
        'The same request has just been carried out. Send it again to see its result.',
      );
    }
    ctx.failpoint('topup.intended');
    let booked: CanisterRow | undefined;
    await carryOutIntent(ctx, intent, async (_, __, outcome) => {
      if (outcome.status === 'rejected') return completeIntent(ctx, intent, outcome);
      const { reply } = outcome;
      const state = { ...stateOf(report), cycles: before + arrived(ctx, cycles, reply) };
      booked = await bookTopUp(ctx, user, { intent, reply, claimed, state, lease });
      return { done: true, canisterId: claimed.id };
    });
    return booked ?? recordStatus(ctx, user, claimed.id, { known: { cycles: before + cycles } });
  });
}

/** What of a payment reaches the canister: a cycles ledger takes its fee out of it. */
function arrived(ctx: AppContext, cycles: bigint, reply: Uint8Array): bigint {
  return cycles - BigInt(ctx.ic.ledgerNote('topup', reply)?.ledger_fee ?? 0);
}
