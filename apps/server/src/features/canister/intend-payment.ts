import type { AppContext } from '../../context.ts';
import type { Actor } from '../../http/actor.ts';
import type { SignedCall } from '../../ic/ic-client.ts';
import { hold } from '../account/holds.ts';
import { lockAccount } from '../account/store.ts';
import { findEarlierPayment, type PaymentRequest } from './earlier-payment.ts';
import { type Intent, insertIntent, type NewIntent } from './intents.ts';

/**
 * Holds what a call costs and writes its intent, in one transaction.
 * @returns undefined when a request of the same key has been quicker: nothing is held then
 * @throws AppError insufficient_balance
 */
export async function intendPayment(
  ctx: AppContext,
  user: Actor,
  payment: PaymentRequest & { call: SignedCall } & Pick<
      NewIntent,
      'canisterName' | 'cyclesBefore' | 'deployId'
    >,
): Promise<Intent | undefined> {
  const { kind, key, cycles, canisterId } = payment;
  return ctx.transact(async (tx) => {
    // Nobody else can begin or end a payment of this account from here on.
    await lockAccount(tx, user.id);
    if (key !== undefined && (await findEarlierPayment(tx, user.id, key)) !== undefined) return undefined;
    const purpose = kind === 'create' ? 'CANISTER_CREATE' : 'CANISTER_TOPUP';
    const held = await hold(tx, { userId: user.id, amount: cycles, purpose });
    return insertIntent(tx, {
      kind,
      userId: user.id,
      holdId: held.id,
      canisterId: canisterId ?? null,
      canisterName: payment.canisterName,
      cycles,
      cyclesBefore: payment.cyclesBefore,
      deployId: payment.deployId,
      requestKey: key,
      call: payment.call,
    });
  });
}
