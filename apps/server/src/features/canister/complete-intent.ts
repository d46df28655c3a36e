import type { AppContext } from '../../context.ts';
import type { Tx } from '../../db/tx.ts';
import type { FinalOutcome } from '../../ic/ic-client.ts';
import { credit } from '../account/credit.ts';
import { formatTrillions } from '../account/format-cycles.ts';
import { release, settle } from '../account/holds.ts';
import { recordChange } from './changes.ts';
import { type Intent, endIntent } from './intents.ts';
import { appendLog, deleteCanisterRow, forgetFormerCanister, insertCanister } from './store.ts';

export type Ending =
  | { readonly done: true; readonly canisterId: string }
  | { readonly done: false; readonly reason: string };

/**
 * Ends an intent by the network's answer, in one transaction: books the cost and keeps the new canister, credits what a
 * deleted canister had, or gives the held cycles back. Doing it a second time changes nothing.
 */
export async function completeIntent(
  ctx: AppContext,
  intent: Intent,
  outcome: FinalOutcome,
): Promise<Ending> {
  if (outcome.status === 'rejected') return releaseIntent(ctx, intent, outcome.message);
  const canisterId = intent.canister_id ?? ctx.ic.createdCanisterId(outcome.reply);
  await ctx.transact(async (tx) => {
    if (!(await endIntent(tx, intent.id))) return;
    if (intent.kind === 'create') await keepCreated(ctx, tx, intent, canisterId);
    else if (intent.kind === 'topup') await keepToppedUp(tx, intent, canisterId);
    else await keepDeleted(tx, intent, canisterId);
  });
  return { done: true, canisterId };
}

async function keepCreated(ctx: AppContext, tx: Tx, intent: Intent, id: string): Promise<void> {
  const { user_id: userId, cycles } = intent;
  const name = intent.canister_name ?? '';
  const controllers = [ctx.ic.principal];
  await settle(tx, holdOf(intent), { name: 'CANISTER_CREATE', meta: { canister_id: id } });
  await forgetFormerCanister(tx, id);
  await insertCanister(tx, { id, userId, name, cycles, controllers });
  await appendLog(tx, { id, userId }, { status: 'running', cycles, moduleHash: null });
  const detail = `With ${formatTrillions(cycles)} from the account.`;
  await recordChange(tx, id, { kind: 'created', actor: await usernameOf(tx, userId), detail });
}

async function keepToppedUp(tx: Tx, intent: Intent, id: string): Promise<void> {
  await settle(tx, holdOf(intent), { name: 'CANISTER_TOPUP', meta: { canister_id: id } });
  const detail = `${formatTrillions(intent.cycles)} from the account.`;
  await recordChange(tx, id, { kind: 'topped_up', actor: await usernameOf(tx, intent.user_id), detail });
}

async function keepDeleted(tx: Tx, intent: Intent, id: string): Promise<void> {
  const { user_id: userId, cycles } = intent;
  await credit(tx, { id: intent.id, userId, amount: cycles, meta: { canister_id: id } });
  await deleteCanisterRow(tx, { id, userId });
}

/** Ends an intent whose call had no effect: cycles that were held go back to the account. */
export async function releaseIntent(ctx: AppContext, intent: Intent, reason: string): Promise<Ending> {
  await ctx.transact(async (tx) => {
    if ((await endIntent(tx, intent.id)) && intent.hold_id !== null) await release(tx, intent.hold_id);
  });
  return { done: false, reason };
}

function holdOf({ id, hold_id }: Intent): string {
  if (hold_id === null) throw new Error(`The intent ${id} holds no cycles.`);
  return hold_id;
}

async function usernameOf(tx: Tx, userId: string): Promise<string> {
  const { username } = await tx
    .selectFrom('users')
    .select('username')
    .where('id', '=', userId)
    .executeTakeFirstOrThrow();
  return username;
}
