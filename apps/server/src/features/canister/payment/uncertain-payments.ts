import { formatTrillions } from '@cannery/contract';
import type { AppContext } from '../../../context.ts';
import type { Reader, Tx } from '../../../db/tx.ts';
import { StartError } from '../../../errors.ts';
import { release, settle } from '../../account/holds.ts';
import { recordChange } from '../core/changes.ts';
import { holdOf } from './complete-intent.ts';
import { endIntent, type Intent } from './intents.ts';

/**
 * Leaves a top-up to the operator, since nobody can tell whether the canister has its cycles. They stay held: they are neither
 * paid twice nor lost. The canister is free for other actions, and a repeated request of the same key pays nothing.
 */
export async function setAside(
  ctx: Pick<AppContext, 'transact' | 'log'>,
  { id, canister_id: canisterId, cycles }: Intent,
  reason: string,
): Promise<void> {
  await ctx.transact(async (tx) => {
    const left = await tx
      .updateTable('intents')
      .set({ uncertain: reason })
      .where('id', '=', id)
      .where('uncertain', 'is', null)
      .returning('id')
      .executeTakeFirst();
    if (left === undefined || canisterId === null || !(await isListed(tx, canisterId))) return;
    const detail = `${formatTrillions(cycles)} stay set aside: ${reason} The operator decides.`;
    await recordChange(tx, canisterId, { kind: 'topup_uncertain', actor: null, detail });
  });
  ctx.log.error(
    { payment: id, canisterId, cycles: String(cycles) },
    `A payment is uncertain: ${reason} See npm run deposit -- --uncertain`,
  );
}

async function isListed(tx: Tx, canisterId: string): Promise<boolean> {
  const row = await tx
    .selectFrom('canisters')
    .select('id')
    .where('id', '=', canisterId)
    .forKeyShare()
    .executeTakeFirst();
  return row !== undefined;
}

/** Payments that wait for the operator, oldest first, as lines to read. */
export async function listUncertain(db: Reader): Promise<string[]> {
  const found = await db
    .selectFrom('intents')
    .innerJoin('users', 'users.id', 'intents.user_id')
    .select(['intents.id', 'username', 'canister_id', 'cycles', 'uncertain', 'intents.created_at'])
    .where('uncertain', 'is not', null)
    .orderBy('intents.created_at')
    .execute();
  return found.map(
    ({ id, username, canister_id, cycles, uncertain, created_at }) =>
      `${id}: ${formatTrillions(cycles)} of ${username} for ${canister_id}, ${created_at.toISOString()}. ${uncertain}`,
  );
}

/**
 * Ends an uncertain payment as the operator has found out.
 * @param verdict 'book' for one that was carried out, 'give-back' for one that was not
 * @throws StartError for a payment that is not uncertain (any more)
 */
export async function decideUncertain(tx: Tx, id: string, verdict: 'book' | 'give-back'): Promise<void> {
  const intent = await tx
    .selectFrom('intents')
    .selectAll()
    .where('id', '=', id)
    .where('uncertain', 'is not', null)
    .forUpdate()
    .executeTakeFirst();
  if (intent?.canister_id == null || !(await endIntent(tx, intent)))
    throw new StartError(`There is no uncertain payment ${id}.`);
  if (verdict === 'give-back') return release(tx, holdOf(intent));
  await settle(tx, holdOf(intent), {
    name: 'CANISTER_TOPUP',
    meta: { canister_id: intent.canister_id },
    requestKey: intent.request_key,
  });
}
