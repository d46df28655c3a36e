import { randomUUID } from 'node:crypto';
import { formatTrillions } from '@cannery/contract';
import type { Tx } from '../../db/tx.ts';
import { AppError } from '../../errors.ts';
import { type Booking, book, lockAccount } from './store.ts';

/** Cycles reserved for an action under way: still the user's, but not to be spent twice. */
export interface Hold {
  readonly id: string;
  readonly userId: string;
  readonly amount: bigint;
}

/**
 * Reserves cycles for an action. End it with settle or release.
 * @throws AppError insufficient_balance
 */
export async function hold(
  tx: Tx,
  options: { userId: string; amount: bigint; purpose: string },
): Promise<Hold> {
  const { userId, amount, purpose } = options;
  const { balance, held } = await lockAccount(tx, userId);
  if (balance - held < amount) {
    throw new AppError(
      'insufficient_balance',
      `Your balance is ${formatTrillions(balance - held)}; this needs ${formatTrillions(amount)}.`,
    );
  }
  const id = randomUUID();
  await tx.insertInto('holds').values({ id, user_id: userId, amount, purpose }).execute();
  await setAccount(tx, userId, { balance, held: held + amount });
  return { id, userId, amount };
}

/** Spends held cycles: the balance falls and the history gets a DEBIT. Fails when the hold is already over. */
export async function settle(
  tx: Tx,
  holdId: string,
  booking: Pick<Booking, 'name' | 'meta' | 'requestKey'>,
): Promise<void> {
  const { userId, amount } = await endHold(tx, holdId);
  const { balance, held } = await lockAccount(tx, userId);
  await setAccount(tx, userId, { balance: balance - amount, held: held - amount });
  await book(tx, {
    ...booking,
    id: holdId,
    userId,
    type: 'DEBIT',
    amount,
    balanceBefore: balance,
    balanceAfter: balance - amount,
  });
}

/** Gives held cycles back; nothing was spent, so the history stays as it is. Fails when the hold is already over. */
export async function release(tx: Tx, holdId: string): Promise<void> {
  const { userId, amount } = await endHold(tx, holdId);
  const { balance, held } = await lockAccount(tx, userId);
  await setAccount(tx, userId, { balance, held: held - amount });
}

/** Deleting the row is what makes a second ending of the same hold impossible. */
async function endHold(tx: Tx, holdId: string): Promise<Hold> {
  const row = await tx
    .deleteFrom('holds')
    .where('id', '=', holdId)
    .returning(['id', 'user_id', 'amount'])
    .executeTakeFirstOrThrow();
  return { id: row.id, userId: row.user_id, amount: row.amount };
}

async function setAccount(tx: Tx, userId: string, values: { balance: bigint; held: bigint }): Promise<void> {
  await tx.updateTable('accounts').set(values).where('user_id', '=', userId).execute();
}
