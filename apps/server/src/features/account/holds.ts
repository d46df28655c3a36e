import { randomUUID } from 'node:crypto';
import { formatTrillions, spendableTrillions } from '@cannery/contract';
import { type RawBuilder, sql } from 'kysely';
import { type OneStatement, type Reader, runOften, type Tx } from '../../db/tx.ts';
import { jsonText } from '../../db/json-text.ts';
import { AppError } from '../../errors.ts';
import { type Booking, canisterAccount } from './store.ts';

/** Cycles reserved for an action under way: still the user's, but not to be spent twice. */
export interface Hold {
  readonly id: string;
  readonly userId: string;
  readonly amount: bigint;
}

/** A hold before it is made. */
interface NewHold extends Hold {
  readonly purpose: string;
}

/**
 * Reserves cycles for an action. End it with settle or release.
 * @throws AppError insufficient_balance
 */
export async function hold(
  tx: Tx,
  { userId, amount, purpose }: { userId: string; amount: bigint; purpose: string },
): Promise<Hold> {
  const id = randomUUID();
  const held = await runOften(
    tx,
    sql<{ id: string }>`with ${holding({ id, userId, amount, purpose })} select id from held`,
  );
  if (held.length === 0) throw await insufficient(tx, { userId, amount });
  return { id, userId, amount };
}

/**
 * The parts of a statement that reserve cycles: `held` is the hold, or nothing when the account has not as much left. Two
 * that want the same cycles come one after another, since both change the row of the account.
 * @param given another part, before these, without whose row nothing is reserved
 */
export function holding(
  { id, userId, amount, purpose }: NewHold,
  given?: RawBuilder<unknown>,
): RawBuilder<unknown> {
  return sql`account as (
      update accounts set held = held + ${amount}::numeric ${given === undefined ? sql`` : sql`from ${given}`}
      where user_id = ${userId} and balance - held >= ${amount}::numeric returning user_id
    ), held as (
      insert into holds (id, user_id, amount, purpose)
      select ${id}::text, user_id, ${amount}::numeric, ${purpose}::text from account returning id
    )`;
}

/** Why cycles could not be reserved. */
export async function insufficient(
  db: Reader,
  { userId, amount }: Pick<Hold, 'userId' | 'amount'>,
): Promise<AppError> {
  const { balance, held } = await db
    .selectFrom('accounts')
    .select(['balance', 'held'])
    .where('user_id', '=', userId)
    .executeTakeFirstOrThrow();
  return new AppError(
    'insufficient_balance',
    `Your balance is ${spendableTrillions(balance - held)}; this needs ${formatTrillions(amount)}.`,
  );
}

/** What is written of cycles that are spent. */
export type Spending = Pick<Booking, 'name' | 'meta' | 'requestKey'>;

/** Spends held cycles: the balance falls and the history gets a DEBIT. Fails when the hold is already over. */
export async function settle(tx: Tx, holdId: string, spending: Spending): Promise<void> {
  await mustEnd(tx, holdId, sql`${settling(holdId, spending)}, ended as (select 1 from line)`);
}

/**
 * The parts of a statement that spend held cycles: `line` is what is booked, or nothing when the hold is over. Deleting the
 * row of the hold is what makes a second ending impossible.
 * @param given another part, before these, without whose row nothing is spent
 */
export function settling(
  holdId: string,
  { name, meta, requestKey }: Spending,
  given?: RawBuilder<unknown>,
): RawBuilder<unknown> {
  const note = meta === undefined ? null : jsonText(meta);
  const counterAccount = meta === undefined ? 'deposits' : canisterAccount(meta.canister_id);
  return sql`spent as (
      delete from holds ${given === undefined ? sql`` : sql`using ${given}`}
      where holds.id = ${holdId} returning holds.user_id, holds.amount
    ), account as (
      update accounts set balance = accounts.balance - spent.amount, held = accounts.held - spent.amount
      from spent where accounts.user_id = spent.user_id
      returning accounts.user_id, accounts.balance, spent.amount
    ), line as (
      insert into transactions (id, user_id, transaction_name, transaction_type, amount, balance_before,
        balance_after, transaction_meta, counter_account, request_key)
      select ${holdId}::text, user_id, ${name}::text, 'DEBIT', amount, balance + amount,
        balance, ${note}::text, ${counterAccount}::text, ${requestKey ?? null}::text from account
      returning id
    )`;
}

/** Gives held cycles back; nothing was spent, so the history stays as it is. Fails when the hold is already over. */
export async function release(tx: Tx, holdId: string): Promise<void> {
  await mustEnd(
    tx,
    holdId,
    sql`freed as (delete from holds where id = ${holdId} returning user_id, amount), ended as (
      update accounts set held = accounts.held - freed.amount
      from freed where accounts.user_id = freed.user_id returning 1
    )`,
  );
}

async function mustEnd(db: OneStatement, holdId: string, parts: RawBuilder<unknown>): Promise<void> {
  const ended = await runOften(db, sql`with ${parts} select 1 from ended`);
  if (ended.length !== 1) throw new Error(`The hold ${holdId} is already over.`);
}
