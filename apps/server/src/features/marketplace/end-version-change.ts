import type { Actor, AppContext } from '../../context.ts';
import { keepAnswer } from '../../db/answer-once.ts';
import { hasOpenIntent } from '../canister/payment/intents.ts';
import { switchRunning } from '../canister/lifecycle/set-running.ts';
import { dropSnapshot } from '../canister/snapshots/snapshots.ts';
import { type CanisterRow, findCanister } from '../canister/core/store.ts';
import { unlessAway } from '../canister/core/unless-away.ts';
import { findWayBack, forgetWayBack, keepWayBack } from './installed-dapp-store.ts';
import { deleteVersionChange, findVersionChange, type VersionChange } from './version-change-store.ts';

/** What a change of version came to. */
export interface EndedChange {
  /** Whether the canister has the other version; else it is as it was. */
  readonly isDone: boolean;
  /** Why it could not be started again. */
  readonly startFailure: unknown;
}

/**
 * Ends the change of a canister that the caller has claimed, finished or undone, as record and network tell: starts
 * the canister if it ran, leaves the one snapshot that is the way back and no chunks of a module, and keeps the answer to
 * the request. What was done before is not done twice.
 * @returns undefined while the outcome of a call is not known, or when there is nothing to end
 * @throws AppError network_unavailable: to be tried again
 */
export async function endVersionChange(
  ctx: AppContext,
  user: Actor,
  canisterId: string,
): Promise<EndedChange | undefined> {
  const change = await findVersionChange(ctx.db, canisterId);
  if (change === undefined || (await hasOpenIntent(ctx.db, canisterId))) return undefined;
  // Others may have put in the same code; what the change itself has done is written down.
  const { origin_hash: recorded } = await findCanister(ctx.db, user.id, canisterId);
  const { target_hash: target } = change;
  const isDone = recorded === target && (await ctx.ic.moduleHash(canisterId)) === target;
  const startFailure = change.was_running
    ? await unlessAway(ctx, canisterId, () => switchRunning(ctx, user, canisterId, true))
    : undefined;
  ctx.failpoint(`${change.kind}.started`);
  await unlessAway(ctx, canisterId, () => tidySnapshots(ctx, user, change, isDone));
  // A crash may have come between the upload of a large module and its installation; chunks cost cycles while they stay.
  if (change.kind === 'upgrade' && !isDone)
    await unlessAway(ctx, canisterId, () => ctx.ic.clearChunks(canisterId));
  await ctx.transact(async (tx) => {
    if (isDone && change.kind === 'back') await forgetWayBack(tx, canisterId);
    if (isDone && change.kind === 'upgrade')
      await keepWayBack(tx, wayBackOf(change, await findCanister(tx, user.id, canisterId)));
    const { request_key: key, request_hash: hash, user_id: userId } = change;
    if (isDone && key !== null && hash !== null)
      await keepAnswer(tx, { userId, key, hash, answer: canisterId });
    await deleteVersionChange(tx, canisterId);
  });
  return { isDone, startFailure };
}

/** Deletes the snapshot that is no way back, or not any more; others may have deleted any of them. */
async function tidySnapshots(
  ctx: AppContext,
  user: Actor,
  change: VersionChange,
  isDone: boolean,
): Promise<void> {
  const { canister_id: id } = change;
  const there = (await ctx.ic.snapshots.list(id)).map((snapshot) => snapshot.id);
  const earlier = (await findWayBack(ctx.db, { userId: user.id, canisterId: id }))?.snapshot_id;
  const outdated = isDone ? earlier : undefined;
  const dropped = change.kind === 'upgrade' && !isDone ? takenBy(change, there) : outdated;
  if (dropped !== undefined && there.includes(dropped)) await dropSnapshot(ctx, user, id, dropped);
  // Where there was room for no other one, the snapshot of the upgrade has taken the place of the way back.
  if (earlier !== undefined && !there.includes(earlier)) {
    await ctx.transact((tx) => forgetWayBack(tx, id));
  }
}

/** The snapshot that an upgrade has taken, also when it could not write that down any more. */
function takenBy(change: VersionChange, there: readonly string[]): string | undefined {
  if (change.snapshot_id !== null) return change.snapshot_id;
  const added = there.filter((id) => !change.snapshots_before.includes(id));
  // Of several, others have taken some; none is deleted on a guess.
  return added.length === 1 ? added[0] : undefined;
}

function wayBackOf(change: VersionChange, { origin }: CanisterRow): Parameters<typeof keepWayBack>[1] {
  const { canister_id: canisterId, user_id: userId, snapshot_id: snapshotId } = change;
  const { before_version: version, before_hash: moduleHash } = change;
  if (snapshotId === null || version === null || moduleHash === null) {
    throw new Error(`The upgrade of ${canisterId} has installed code without a snapshot.`);
  }
  const toVersion = origin.kind === 'dapp' ? origin.versionId : null;
  return { canisterId, userId, snapshotId, version, moduleHash, toVersion };
}
