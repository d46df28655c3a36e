import { randomUUID } from 'node:crypto';
import type { transactionNames, transactionTypes } from '@cannery/contract';
import type { Selectable } from 'kysely';
import type { TransactionsTable } from '../../db/tables/core-tables.ts';
import type { Reader, Tx } from '../../db/tx.ts';
import { jsonText } from '../../db/json-text.ts';

export interface Booking {
  /** Given when a second booking of the same event must be impossible. */
  readonly id?: string;
  readonly userId: string;
  readonly name: (typeof transactionNames)[number];
  readonly type: (typeof transactionTypes)[number];
  /** Cycles. */
  readonly amount: bigint;
  readonly balanceBefore: bigint;
  readonly balanceAfter: bigint;
  /** The canister on the other side; without one the cycles are deposited from outside. */
  readonly meta: { readonly canister_id: string } | undefined;
  /** What the client called the request that is booked. */
  readonly requestKey?: string | null;
}

const CANISTER_ACCOUNT = 'canister:';

/** The account on the other side of what goes to a canister or comes back from it. */
export function canisterAccount(canisterId: string): string {
  return `${CANISTER_ACCOUNT}${canisterId}`;
}

/** The canister whose account that is; undefined for the account of deposits. */
export function canisterOfAccount(account: string): string | undefined {
  return account.startsWith(CANISTER_ACCOUNT) ? account.slice(CANISTER_ACCOUNT.length) : undefined;
}

/** Writes one line of the account's history, with both its sides; the caller changes the balance in the same transaction. */
export async function book(tx: Tx, booking: Booking): Promise<void> {
  await tx
    .insertInto('transactions')
    .values({
      id: booking.id ?? randomUUID(),
      user_id: booking.userId,
      transaction_name: booking.name,
      transaction_type: booking.type,
      amount: booking.amount,
      balance_before: booking.balanceBefore,
      balance_after: booking.balanceAfter,
      transaction_meta: booking.meta === undefined ? null : jsonText(booking.meta),
      counter_account: booking.meta === undefined ? 'deposits' : canisterAccount(booking.meta.canister_id),
      request_key: booking.requestKey ?? null,
    })
    .execute();
}

/** The account's row, locked until the transaction ends: every change of a balance goes through here. */
export async function lockAccount(tx: Tx, userId: string): Promise<{ balance: bigint; held: bigint }> {
  return tx
    .selectFrom('accounts')
    .select(['balance', 'held'])
    .where('user_id', '=', userId)
    .forUpdate()
    .executeTakeFirstOrThrow();
}

/** What the user can still spend and how many canisters the user has. */
export async function readInsights(
  db: Reader,
  userId: string,
): Promise<{ available: bigint; canisters: number }> {
  const account = await db
    .selectFrom('accounts')
    .select(['balance', 'held'])
    .where('user_id', '=', userId)
    .executeTakeFirstOrThrow();
  const { count } = await db
    .selectFrom('canisters')
    .select((select) => select.fn.countAll<number>().as('count'))
    .where('user_id', '=', userId)
    .executeTakeFirstOrThrow();
  return { available: account.balance - account.held, canisters: count };
}

/** Most lines of the history that one answer holds. */
const HISTORY_LIMIT = 10_000;

/** The account's history, newest first. */
export async function listTransactions(db: Reader, userId: string): Promise<Selectable<TransactionsTable>[]> {
  return db
    .selectFrom('transactions')
    .selectAll()
    .where('user_id', '=', userId)
    .orderBy('seq', 'desc')
    .limit(HISTORY_LIMIT)
    .execute();
}

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
