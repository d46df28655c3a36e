import type { AppContext } from '../../context.ts';
import type { FinalOutcome } from '../../ic/ic-client.ts';
import { release, settle } from '../account/holds.ts';
import { type Intent, endIntent } from './intents.ts';
import { appendLog, forgetFormerCanister, insertCanister } from './store.ts';

export type Ending =
  | { readonly done: true; readonly canisterId: string }
  | { readonly done: false; readonly reason: string };

/**
 * Ends an intent by the network's answer, in one transaction: books the cost and keeps the new canister, or gives the
 * cycles back. Doing it a second time changes nothing.
 */
export async function completeIntent(
  ctx: AppContext,
  intent: Intent,
  outcome: FinalOutcome,
): Promise<Ending> {
  if (outcome.status === 'rejected') return releaseIntent(ctx, intent, outcome.message);
  const canisterId =
    intent.kind === 'topup' && intent.canister_id !== null
      ? intent.canister_id
      : ctx.ic.createdCanisterId(outcome.reply);
  await ctx.transact(async (tx) => {
    if (!(await endIntent(tx, intent.id))) return;
    if (intent.kind === 'topup') {
      await settle(tx, intent.hold_id, { name: 'CANISTER_TOPUP', meta: { canister_id: canisterId } });
      return;
    }
    await settle(tx, intent.hold_id, { name: 'CANISTER_CREATE', meta: { canister_id: canisterId } });
    const canister = { id: canisterId, userId: intent.user_id };
    await forgetFormerCanister(tx, canisterId);
    await insertCanister(tx, { ...canister, name: intent.canister_name ?? '', cycles: intent.cycles });
    await appendLog(tx, canister, { status: 'running', cycles: intent.cycles, moduleHash: null });
  });
  return { done: true, canisterId };
}

/** Ends an intent whose call had no effect: the held cycles go back to the account. */
export async function releaseIntent(ctx: AppContext, intent: Intent, reason: string): Promise<Ending> {
  await ctx.transact(async (tx) => {
    if (await endIntent(tx, intent.id)) await release(tx, intent.hold_id);
  });
  return { done: false, reason };
}
