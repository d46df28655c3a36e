import type { AppContext } from '../../../context.ts';
import { AppError } from '../../../errors.ts';
import type { Actor } from '../../../http/actor.ts';
import { carryOutIntent, prepareIntent } from '../payment/carry-out-intent.ts';
import { type Intent, insertIntent } from '../payment/intents.ts';
import { missingAfter } from '../core/refusals.ts';
import { isSealed, isUnread, readyDeletion } from '../payment/ready-deletion.ts';
import { runAction } from '../core/run-action.ts';
import { switchRunning } from './set-running.ts';
import { type CanisterRow, deleteCanisterRow } from '../core/store.ts';

/** What a deletion came to. */
export interface Deletion {
  readonly message: string;
  /** False for a canister that has only left the list. */
  readonly deleted: boolean;
  /** Cycles that came back to the account. */
  readonly refunded: bigint;
}

/**
 * Deletes a canister that is exactly 'stopped' on the network. Where the console gives canisters their cycles, what comes
 * back to the account is what the network certified when nothing could leave the canister any more: stopped, with the
 * console as its only controller.
 * A canister that the network no longer has, or that the console may no longer control, only leaves the list.
 * @param input.stopFirst stops a canister that is not, in the same action
 * @throws AppError canister_not_stopped
 */
export async function deleteCanister(
  ctx: AppContext,
  user: Actor,
  input: { canisterId: string; stopFirst?: boolean },
): Promise<Deletion> {
  return runAction(ctx, user, input.canisterId, async (canister) => {
    ctx.failpoint('delete.claimed');
    try {
      let report = await ctx.ic.status(canister.id);
      if (!report.settings.controllers.includes(ctx.ic.principal)) return await forget(ctx, user, canister);
      if (input.stopFirst === true && report.status !== 'stopped') {
        await switchRunning(ctx, user, canister.id, false);
        report = await ctx.ic.status(canister.id);
      }
      const { status, cycles } = report;
      if (status !== 'stopped') {
        throw new AppError('canister_not_stopped', 'Canister must be stopped first.');
      }
      const certified = isSealed(report, ctx.ic.principal) ? cycles : null;
      const intent = await intendDeletion(ctx, user, canister, ctx.ic.givesCyclesBack ? certified : 0n);
      ctx.failpoint('delete.intended');
      return await carryOut(ctx, intent);
    } catch (error) {
      const missing = await missingAfter(ctx, canister.id, error);
      if (missing === undefined) throw error;
      if (missing === 'lost') return forget(ctx, user, canister);
      await ctx.transact((tx) => deleteCanisterRow(tx, { id: canister.id, userId: user.id }));
      return deleted(0n);
    }
  });
}

const deleted = (refunded: bigint): Deletion => ({ message: 'Canister deleted.', deleted: true, refunded });

const forgotten: Deletion = {
  message:
    'The console no longer controls this canister. It is off the list, but still exists on the network.',
  deleted: false,
  refunded: 0n,
};

async function forget(ctx: AppContext, user: Actor, canister: CanisterRow): Promise<Deletion> {
  await ctx.transact((tx) => deleteCanisterRow(tx, { id: canister.id, userId: user.id }));
  return forgotten;
}

async function carryOut(ctx: AppContext, intent: Intent): Promise<Deletion> {
  const ready = isUnread(intent)
    ? await prepareIntent(ctx, intent, () => readyDeletion(ctx, intent))
    : intent;
  if (ready === 'lost') return forgotten;
  if (ready === 'gone') return deleted(0n);
  if (ready !== intent) ctx.failpoint('delete.read');
  await carryOutIntent(ctx, ready);
  return deleted(ready.cycles);
}

/**
 * Written before a call is sent, so that the cycles are credited exactly once whatever happens in between.
 * @param cycles what the canister has for certain; null when that is still to be made sure of
 */
async function intendDeletion(
  ctx: AppContext,
  user: Actor,
  canister: CanisterRow,
  cycles: bigint | null,
): Promise<Intent> {
  const call = await ctx.ic.signDelete(canister.id);
  ctx.failpoint('delete.signed');
  return ctx.fence.pass(() =>
    ctx.transact((tx) =>
      insertIntent(tx, {
        kind: 'delete',
        userId: user.id,
        holdId: null,
        canisterId: canister.id,
        lease: canister.action_id,
        canisterName: canister.name,
        cycles: cycles ?? 0n,
        cyclesBefore: cycles,
        call,
      }),
    ),
  );
}
