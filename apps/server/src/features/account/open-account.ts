import type { Tx } from '../../db/tx.ts';
import { book } from './store.ts';

/** Opens the account of a new user; the opening balance, in cycles, is booked as a CYCLE_DEPOSIT. */
export async function openAccount(
  tx: Tx,
  options: { userId: string; openingBalance: bigint },
): Promise<void> {
  const { userId, openingBalance } = options;
  await tx.insertInto('accounts').values({ user_id: userId, balance: openingBalance, held: 0n }).execute();
  if (openingBalance === 0n) return;
  await book(tx, {
    userId,
    name: 'CYCLE_DEPOSIT',
    type: 'CREDIT',
    amount: openingBalance,
    balanceBefore: 0n,
    balanceAfter: openingBalance,
    meta: undefined,
  });
}
