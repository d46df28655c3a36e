import type { Tx } from '../../db/tx.ts';
import { book, type Booking, lockAccount } from './store.ts';

/**
 * Adds cycles to an account: the balance rises and the history gets a CYCLE_DEPOSIT. Nothing is booked for 0 cycles.
 * @param booking.id given when a second booking of the same event must be impossible
 */
export async function credit(
  tx: Tx,
  booking: Pick<Booking, 'id' | 'userId' | 'amount' | 'meta'>,
): Promise<void> {
  const { userId, amount } = booking;
  if (amount === 0n) return;
  const { balance } = await lockAccount(tx, userId);
  await book(tx, {
    ...booking,
    name: 'CYCLE_DEPOSIT',
    type: 'CREDIT',
    balanceBefore: balance,
    balanceAfter: balance + amount,
  });
  await tx
    .updateTable('accounts')
    .set({ balance: balance + amount })
    .where('user_id', '=', userId)
    .execute();
}
