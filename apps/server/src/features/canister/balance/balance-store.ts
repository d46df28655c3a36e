import type { Selectable } from 'kysely';
import type { CanisterBalancesTable } from '../../../db/tables/canister-tables.ts';
import type { Reader, Tx } from '../../../db/tx.ts';
import { canisterAccount } from '../../account/store.ts';
import { isNewHour, slotOf, surplusSlots } from './balance-slots.ts';

/** Keeps a balance that the network told at a moment; nothing for a canister that is gone. Thins old ones out hourly. */
export async function keepBalance(
  tx: Tx,
  canisterId: string,
  balance: { readonly cycles: bigint; readonly takenAt: Date },
): Promise<void> {
  const owner = await tx
    .updateTable('canisters')
    .set({ sampled_at: balance.takenAt })
    .where('id', '=', canisterId)
    .returning('id')
    .executeTakeFirst();
  // A canister may be deleted while the answer is on the way.
  if (owner === undefined) return;
  const slot = slotOf(balance.takenAt);
  const before = await newestSlot(tx, canisterId);
  await tx
    .insertInto('canister_balances')
    .values({ canister_id: canisterId, slot, taken_at: balance.takenAt, cycles: balance.cycles })
    .onConflict((conflict) =>
      conflict
        .columns(['canister_id', 'slot'])
        .doUpdateSet({ taken_at: balance.takenAt, cycles: balance.cycles })
        .where('canister_balances.taken_at', '<', balance.takenAt),
    )
    .execute();
  if (before !== undefined && isNewHour(before, slot)) await thinOut(tx, canisterId, balance.takenAt);
}

async function newestSlot(db: Reader, canisterId: string): Promise<number | undefined> {
  const newest = await db
    .selectFrom('canister_balances')
    .select('slot')
    .where('canister_id', '=', canisterId)
    .orderBy('slot', 'desc')
    .limit(1)
    .executeTakeFirst();
  return newest?.slot;
}

/** Gives up balances that are closer together than their age asks for. */
export async function thinOut(tx: Tx, canisterId: string, now: Date): Promise<void> {
  const rows = await tx
    .selectFrom('canister_balances')
    .select('slot')
    .where('canister_id', '=', canisterId)
    .execute();
  const surplus = surplusSlots(
    rows.map(({ slot }) => slot),
    now,
  );
  if (surplus.length === 0) return;
  await tx
    .deleteFrom('canister_balances')
    .where('canister_id', '=', canisterId)
    .where('slot', 'in', surplus)
    .execute();
}

/** Balances of a canister since a moment, oldest first. */
export async function findBalances(
  db: Reader,
  canisterId: string,
  since: Date,
): Promise<Selectable<CanisterBalancesTable>[]> {
  return db
    .selectFrom('canister_balances')
    .selectAll()
    .where('canister_id', '=', canisterId)
    .where('slot', '>=', slotOf(since))
    .orderBy('slot')
    .execute();
}

/** What the account gave a canister by top-ups since a moment, oldest first. */
export async function findTopUps(
  db: Reader,
  canister: { readonly id: string; readonly userId: string },
  since: Date,
): Promise<{ taken_at: Date; cycles: bigint }[]> {
  return db
    .selectFrom('transactions')
    .select(['created_at as taken_at', 'amount as cycles'])
    .where('user_id', '=', canister.userId)
    .where('transaction_name', '=', 'CANISTER_TOPUP')
    .where('counter_account', '=', canisterAccount(canister.id))
    .where('created_at', '>=', since)
    .orderBy('seq')
    .execute();
}

/** A canister whose turn has come. */
export interface Due {
  readonly id: string;
  readonly user_id: string;
}

/** Takes the turn of canisters not looked at since a moment, never looked at first; no other process takes the same. */
export async function claimDue(
  tx: Tx,
  options: { readonly since: Date; readonly most: number },
): Promise<Due[]> {
  return tx
    .updateTable('canisters')
    .set({ sampled_at: new Date() })
    .where('id', 'in', (select) =>
      select
        .selectFrom('canisters')
        .select('id')
        .where((where) =>
          where.or([where('sampled_at', 'is', null), where('sampled_at', '<', options.since)]),
        )
        .orderBy('sampled_at', (order) => order.asc().nullsFirst())
        .limit(options.most)
        .forUpdate()
        .skipLocked(),
    )
    .returning(['id', 'user_id'])
    .execute();
}

/** How many canisters there are. */
export async function countCanisters(db: Reader): Promise<number> {
  const { count } = await db
    .selectFrom('canisters')
    .select((select) => select.fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow();
  return count;
}

/** Lets a canister be looked at as soon as possible. */
export async function sampleSoon(tx: Tx, canisterId: string): Promise<void> {
  await tx.updateTable('canisters').set({ sampled_at: null }).where('id', '=', canisterId).execute();
}
