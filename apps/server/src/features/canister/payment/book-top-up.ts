import { randomUUID } from 'node:crypto';
import { formatTrillions } from '@cannery/contract';
import { sql } from 'kysely';
import type { AppContext } from '../../../context.ts';
import { runOften } from '../../../db/tx.ts';
import type { Actor } from '../../../http/actor.ts';
import { settling } from '../../account/holds.ts';
import { isNewHour, SLOT_SECONDS, slotOf } from '../balance/balance-slots.ts';
import { thinOut } from '../balance/balance-store.ts';
import { outsideChanges, recordChange } from '../core/changes.ts';
import { holdOf } from './complete-intent.ts';
import type { Intent } from './intents.ts';
import type { Lease } from '../core/run-action.ts';
import { type CanisterRow, type CanisterState, keptState } from '../core/store.ts';

/** A top-up that the network has carried out, and all that is known of its canister. */
export interface ToppedUp {
  readonly intent: Intent;
  /** What the network said when it had done it. */
  readonly reply: Uint8Array;
  /** The canister as the console knew it when it was claimed. */
  readonly claimed: CanisterRow;
  /** What the network said of it before, the cycles that have arrived added. */
  readonly state: CanisterState & { readonly cycles: bigint };
  readonly lease: Lease;
}

/** A canister, and the newest balance of it that was kept before. */
type Booked = CanisterRow & { readonly newest_slot: number | null };

/**
 * Writes everything that a top-up leaves, in one statement: ends the intent, books what was paid, notes the state of the
 * canister in its row, its log, its history and its chart, and gives the canister back. One account's payments wait for each
 * other from here until this is on disk, so nothing else is done meanwhile.
 * @returns the canister; undefined when somebody else has booked the payment
 */
export async function bookTopUp(
  ctx: AppContext,
  user: Actor,
  done: ToppedUp,
): Promise<CanisterRow | undefined> {
  const { claimed, state, lease } = done;
  const takenAt = new Date();
  return ctx.transact(async (tx) => {
    const [booked] = await runOften(tx, statementOf(ctx, user, done, takenAt));
    if (booked === undefined) return undefined;
    const { newest_slot: before, ...row } = booked;
    lease.isOver = true;
    for (const detail of outsideChanges(keptState(claimed), state))
      await recordChange(tx, row.id, { kind: 'outside', actor: null, detail });
    if (before !== null && isNewHour(before, slotOf(takenAt))) await thinOut(tx, row.id, takenAt);
    ctx.failpoint('topup.booking');
    return row;
  });
}

/** `slotOf` the moment at which the payment is booked: the chart marks a payment only up to its newest balance. */
const slotOfNow = sql`floor(extract(epoch from now()) / ${SLOT_SECONDS}::integer)::integer`;

function statementOf(
  ctx: AppContext,
  user: Actor,
  { intent, reply, claimed: { id }, state, lease }: ToppedUp,
  takenAt: Date,
) {
  const spending = settling(
    holdOf(intent),
    {
      name: 'CANISTER_TOPUP',
      meta: { canister_id: id, ...ctx.ic.ledgerNote('topup', reply) },
      requestKey: intent.request_key,
    },
    sql`ended`,
  );
  const detail = `${formatTrillions(intent.cycles)} from the account.`;
  const controllers = state.controllers === null ? null : [...state.controllers];
  return sql<Booked>`with ended as (
      delete from intents where id = ${intent.id} returning id
    ), ${spending}, canister as (
      update canisters set status = ${state.status}, cycles = ${state.cycles}, module_hash = ${state.moduleHash},
        controllers = ${controllers}, refreshed_at = ${takenAt}, updated_at = ${takenAt}, sampled_at = now(),
        action_id = case when action_id = ${lease.id} then null else action_id end,
        action_expires_at = case when action_id = ${lease.id} then null else action_expires_at end
      from line where canisters.id = ${id} and canisters.user_id = ${user.id} returning canisters.*
    ), change as (
      insert into canister_changes (id, canister_id, kind, actor, detail)
      select ${randomUUID()}::text, id, 'topped_up', ${user.username}::text, ${detail}::text from canister
    ), log as (
      insert into canister_logs (id, canister_id, user_id, cycles, module_hash, status)
      select ${randomUUID()}::text, id, user_id, cycles, module_hash, status from canister
    ), sample as (
      insert into canister_balances as kept (canister_id, slot, taken_at, cycles)
      select id, ${slotOfNow}, sampled_at, cycles from canister
      on conflict (canister_id, slot) do update set taken_at = excluded.taken_at, cycles = excluded.cycles
      where kept.taken_at < excluded.taken_at
    )
    select canister.*, (select max(slot) from canister_balances where canister_id = canister.id) as newest_slot
    from canister`;
}
