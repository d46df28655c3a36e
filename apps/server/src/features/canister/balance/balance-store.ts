import { type Selectable, sql } from 'kysely';
import type { CanisterBalancesTable } from '../../../db/tables/canister-tables.ts';
import { jsonText } from '../../../db/json-text.ts';
import type { Reader, Tx } from '../../../db/tx.ts';
import { canisterAccount } from '../../account/store.ts';
import { isNewHour, slotOf, surplusSlots } from './balance-slots.ts';

/** A balance that the network told at a moment. */
export interface Balance {
  readonly cycles: bigint;
  readonly takenAt: Date;
}

/**
 * Keeps a balance of each of several canisters, in one statement whatever their number; nothing for those that are gone, since a canister
 * may be deleted while the answer is on the way. Thins old ones out hourly. Their rows are locked in the order of their ids until the
 * transaction ends.
 * @param balances by the id of the canister
 */
export async function keepBalances(tx: Tx, balances: ReadonlyMap<string, Balance>): Promise<void> {
  const told = [...balances].map(([id, { cycles, takenAt }]) => ({
    id,
    cycles: cycles.toString(),
    taken_at: takenAt,
    slot: slotOf(takenAt),
  }));
  const { rows } = await sql<{ id: string; newest_slot: number | null }>`with told as (
      select * from json_to_recordset(${jsonText(told)}::json) as told (id text, cycles numeric, taken_at timestamptz, slot integer)
    ), locked as (
      select id from canisters where id = any(${[...balances.keys()]}::text[]) order by id for update
    ), canister as (
      update canisters set sampled_at = told.taken_at from locked join told using (id)
      where canisters.id = locked.id returning canisters.id
    ), sample as (
      insert into canister_balances as kept (canister_id, slot, taken_at, cycles)
      select id, slot, taken_at, cycles from told join canister using (id)
      on conflict (canister_id, slot) do update set taken_at = excluded.taken_at, cycles = excluded.cycles
      where kept.taken_at < excluded.taken_at
    )
    select id, (select max(slot) from canister_balances where canister_id = canister.id) as newest_slot
    from canister order by id`.execute(tx);
  for (const { id, newest_slot: before } of rows) {
    const takenAt = balances.get(id)?.takenAt;
    if (takenAt !== undefined && before !== null && isNewHour(before, slotOf(takenAt)))
      await thinOut(tx, id, takenAt);
  }
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
