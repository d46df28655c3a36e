import type { CanisterDetails } from '@cannery/contract';
import type { AppContext } from '../../../context.ts';
import type { Actor } from '../../../http/actor.ts';
import { carryOutIntent } from '../payment/carry-out-intent.ts';
import { type Intent, insertIntent } from '../payment/intents.ts';
import { detailsOf } from '../core/read-canister.ts';
import { recordStatus } from '../balance/record-status.ts';
import { runAction } from '../core/run-action.ts';
import { findSnapshotOrigin } from './snapshot-origins.ts';
import { mustBeStopped, mustExist } from './snapshots.ts';
import type { Claimed } from '../core/store.ts';

/**
 * Puts a stopped canister back to a snapshot.
 * @throws AppError canister_not_stopped or not_found
 */
export async function restoreSnapshot(
  ctx: AppContext,
  user: Actor,
  input: { canisterId: string; snapshotId: string },
): Promise<CanisterDetails> {
  const { canisterId, snapshotId } = input;
  return runAction(ctx, user, canisterId, async (canister) => {
    const { id } = canister;
    ctx.failpoint('restore.claimed');
    await putBack(ctx, user, canister, snapshotId);
    return detailsOf(await ctx.ic.status(id), { id, consolePrincipal: ctx.ic.principal });
  });
}

/**
 * Puts a stopped canister back to a snapshot, within an action that has claimed it. It is an intent like an installation, so
 * that code and what is written down of it agree whenever this process dies.
 * @throws as `restoreSnapshot`
 */
export async function putBack(
  ctx: AppContext,
  user: Actor,
  canister: Claimed,
  snapshotId: string,
): Promise<void> {
  const { id } = canister;
  await mustBeStopped(ctx, id, 'before a snapshot is restored');
  mustExist(await ctx.ic.snapshots.list(id), snapshotId);
  await carryOutIntent(ctx, await intendRestore(ctx, user, canister, snapshotId));
  await recordStatus(ctx, user, id);
}

async function intendRestore(
  ctx: AppContext,
  user: Actor,
  { id, name, action_id: lease }: Claimed,
  snapshotId: string,
): Promise<Intent> {
  const kept = await findSnapshotOrigin(ctx.db, { canisterId: id, snapshotId });
  const call = await ctx.ic.signRestore(id, snapshotId);
  ctx.failpoint('restore.signed');
  const intent = await ctx.fence.pass(() =>
    ctx.transact((tx) =>
      insertIntent(tx, {
        kind: 'restore',
        userId: user.id,
        holdId: null,
        canisterId: id,
        lease,
        canisterName: name,
        cycles: 0n,
        cyclesBefore: null,
        change: {
          kind: 'snapshot_restored',
          detail: snapshotId,
          moduleHash: kept?.module_hash ?? null,
          origin: kept?.origin ?? { kind: 'unknown' },
          chunked: false,
        },
        call,
      }),
    ),
  );
  ctx.failpoint('restore.intended');
  return intent;
}
