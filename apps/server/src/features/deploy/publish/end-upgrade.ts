import type { Actor, AppContext } from '../../../context.ts';
import { isNetworkAway } from '../../../errors.ts';
import { hasOpenIntent } from '../../canister/payment/intents.ts';
import { switchRunning } from '../../canister/lifecycle/set-running.ts';
import { putBack } from '../../canister/snapshots/restore-snapshot.ts';
import { adoptSnapshotOrigin } from '../../canister/snapshots/snapshot-origins.ts';
import { findCanister } from '../../canister/core/store.ts';
import { unlessAway } from '../../canister/core/unless-away.ts';
import {
  findUpgrade,
  forgetUpgrade,
  noteTaken,
  setPhase,
  settleUpgrade,
  type UpgradeRow,
} from '../store/upgrade-store.ts';

/** What an upgrade, or the way back from one, came to. */
export interface EndedUpgrade {
  readonly outcome: 'upgraded' | 'unchanged' | 'returned' | 'changed by others';
  /** Why the canister could not be started again. */
  readonly startFailure: unknown;
}

/**
 * Ends the upgrade of a canister that the caller has claimed, or its way back, as far as it was begun: the canister runs again
 * if it ran before the run, and its snapshot belongs to the deploy. What was done before is not done twice.
 * @returns undefined while the outcome of a call is not known, or when there is nothing to end
 * @throws AppError network_unavailable: to be tried again; what restoring a snapshot throws, after which the canister runs with
 * the code that it has
 */
export async function endUpgrade(
  ctx: AppContext,
  user: Actor,
  canisterId: string,
): Promise<EndedUpgrade | undefined> {
  const upgrade = await findUpgrade(ctx.db, canisterId);
  if (upgrade === undefined || (await hasOpenIntent(ctx.db, canisterId))) return undefined;
  if (upgrade.phase === 'upgrading') return endAfterCode(ctx, user, await adoptSnapshot(ctx, upgrade));
  if (upgrade.phase === 'restoring' || upgrade.phase === 'restored') return endReturn(ctx, user, upgrade);
  return { outcome: upgrade.phase, startFailure: undefined };
}

/** A crash may have come between the network's answer and the note of the snapshot. */
async function adoptSnapshot(ctx: AppContext, upgrade: UpgradeRow): Promise<UpgradeRow> {
  const { canister_id: id, snapshots_before: before } = upgrade;
  if (upgrade.snapshot_id !== null) return upgrade;
  const added = (await ctx.ic.snapshots.list(id)).filter((one) => !before.includes(one.id));
  const [taken] = added;
  // Of several, others have taken some; none is replaced later on a guess.
  if (taken === undefined || added.length > 1) return upgrade;
  const { before_hash: moduleHash, before_origin: origin } = upgrade;
  await ctx.transact(async (tx) => {
    await noteTaken(tx, id, taken.id);
    if (origin !== null)
      await adoptSnapshotOrigin(tx, { canisterId: id, snapshotId: taken.id, moduleHash, origin });
  });
  return { ...upgrade, snapshot_id: taken.id };
}

async function endAfterCode(ctx: AppContext, user: Actor, upgrade: UpgradeRow): Promise<EndedUpgrade> {
  const { canister_id: id, before_hash: before, target_hash: target } = upgrade;
  const hash = await ctx.ic.moduleHash(id);
  const startFailure = await startAgain(ctx, user, upgrade);
  ctx.failpoint('deploy.started');
  // A crash may have come between the upload of a large module and its installation; chunks cost cycles while they stay.
  if (hash === before) await unlessAway(ctx, id, () => ctx.ic.clearChunks(id));
  const hasNewCode = hash !== null && (hash !== before || before === target);
  const canReturn = hasNewCode && upgrade.snapshot_id !== null;
  await ctx.transact((tx) =>
    canReturn ? settleUpgrade(tx, upgrade, { phase: 'upgraded', hash }) : forgetUpgrade(tx, id),
  );
  ctx.failpoint('deploy.upgraded');
  return { outcome: hasNewCode ? 'upgraded' : 'unchanged', startFailure };
}

async function endReturn(ctx: AppContext, user: Actor, upgrade: UpgradeRow): Promise<EndedUpgrade> {
  const { canister_id: id, before_hash: before, target_hash: target } = upgrade;
  const hash = await ctx.ic.moduleHash(id);
  if (hash === null || (hash !== target && hash !== before)) {
    const startFailure = await startAgain(ctx, user, upgrade);
    await ctx.transact((tx) => forgetUpgrade(tx, id));
    return { outcome: 'changed by others', startFailure };
  }
  if (upgrade.phase === 'restoring') await restore(ctx, user, upgrade, hash);
  const startFailure = await startAgain(ctx, user, upgrade);
  ctx.failpoint('deploy.resumed');
  await ctx.transact((tx) => settleUpgrade(tx, upgrade, { phase: 'returned', hash: before }));
  return { outcome: 'returned', startFailure };
}

async function restore(ctx: AppContext, user: Actor, upgrade: UpgradeRow, hash: string): Promise<void> {
  const { canister_id: id, snapshot_id: snapshotId, target_hash: target } = upgrade;
  if (snapshotId === null) throw new Error(`The upgrade of ${id} has no snapshot to go back to.`);
  try {
    await switchRunning(ctx, user, id, false);
    ctx.failpoint('deploy.halted');
    // Where the code is that of before already, an earlier attempt has put it back.
    if (hash === target) await putBack(ctx, user, await findCanister(ctx.db, user.id, id), snapshotId);
  } catch (error) {
    if (isNetworkAway(error)) throw error;
    await startAgain(ctx, user, upgrade);
    await ctx.transact((tx) => settleUpgrade(tx, upgrade, { phase: 'upgraded', hash }));
    throw error;
  }
  ctx.failpoint('deploy.restored');
  await ctx.transact((tx) => setPhase(tx, id, 'restored'));
}

async function startAgain(ctx: AppContext, user: Actor, upgrade: UpgradeRow): Promise<unknown> {
  const { canister_id: id, was_running: wasRunning } = upgrade;
  return wasRunning ? unlessAway(ctx, id, () => switchRunning(ctx, user, id, true)) : undefined;
}
