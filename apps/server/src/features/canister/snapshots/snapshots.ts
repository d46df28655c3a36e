import { type CanisterSnapshot, MAX_SNAPSHOTS } from '@cannery/contract';
import type { AppContext } from '../../../context.ts';
import { AppError } from '../../../errors.ts';
import type { Actor } from '../../../http/actor.ts';
import type { NetworkSnapshot } from '../../../ic/management/snapshots.ts';
import { shortHash } from '../core/changes.ts';
import { recordStatus } from '../balance/record-status.ts';
import { runAction } from '../core/run-action.ts';
import { forgetSnapshotOrigin, keepSnapshotOrigin } from './snapshot-origins.ts';
import { findCanister } from '../core/store.ts';

/** The snapshots of a canister of the user, newest first. */
export async function listSnapshots(
  ctx: AppContext,
  user: Actor,
  input: { canisterId: string },
): Promise<CanisterSnapshot[]> {
  const { id } = await findCanister(ctx.db, user.id, input.canisterId);
  const snapshots = await ctx.ic.snapshots.list(id);
  return snapshots
    .toSorted((a, b) => Number(b.takenAtNanos - a.takenAtNanos) || (a.id < b.id ? 1 : -1))
    .map(toSnapshot);
}

/**
 * Takes a snapshot of a stopped canister.
 * @param input.replace id of a snapshot that goes for it
 * @throws AppError canister_not_stopped, not_found, invalid_input when the canister is empty or has all it may have
 */
export async function takeSnapshot(
  ctx: AppContext,
  user: Actor,
  input: { canisterId: string; replace?: string },
): Promise<CanisterSnapshot> {
  const { canisterId, replace } = input;
  return runAction(ctx, user, canisterId, ({ id }) => addSnapshot(ctx, user, id, replace));
}

/**
 * The same within an action that has claimed the canister.
 * @param cause a sentence for the canister's history about what takes it, when it is not the user by hand
 */
export async function addSnapshot(
  ctx: AppContext,
  user: Actor,
  id: string,
  replace: string | undefined,
  cause?: string,
): Promise<CanisterSnapshot> {
  const { moduleHash } = await mustBeStopped(ctx, id, 'before a snapshot of it is taken');
  if (moduleHash === null) {
    throw new AppError('invalid_input', 'There is nothing to keep in an empty canister. Install code first.');
  }
  const existing = await ctx.ic.snapshots.list(id);
  if (replace !== undefined) mustExist(existing, replace);
  else if (existing.length >= MAX_SNAPSHOTS) {
    throw new AppError(
      'invalid_input',
      `A canister has ${MAX_SNAPSHOTS} snapshots at most. Delete one, or choose one that the new snapshot replaces.`,
    );
  }
  const taken = await ctx.ic.snapshots.take(id, replace === undefined ? {} : { replace });
  ctx.failpoint('snapshot.answered');
  const replaced = replace === undefined ? '' : `, replacing ${replace}`;
  const by = cause === undefined ? '' : ` ${cause}`;
  await recordStatus(ctx, user, id, {
    change: {
      kind: 'snapshot_taken',
      detail: `${taken.id} with code ${shortHash(moduleHash)}${replaced}.${by}`,
    },
    keep: (tx) =>
      keepSnapshotOrigin(tx, { canisterId: id, snapshotId: taken.id, moduleHash, replaced: replace }),
  });
  return toSnapshot(taken);
}

/** @throws AppError not_found */
export async function deleteSnapshot(
  ctx: AppContext,
  user: Actor,
  input: { canisterId: string; snapshotId: string },
): Promise<void> {
  const { canisterId, snapshotId } = input;
  await runAction(ctx, user, canisterId, async ({ id }) => {
    mustExist(await ctx.ic.snapshots.list(id), snapshotId);
    await dropSnapshot(ctx, user, id, snapshotId);
  });
}

/** The same within an action that has claimed the canister and knows that the snapshot is there. */
export async function dropSnapshot(
  ctx: AppContext,
  user: Actor,
  id: string,
  snapshotId: string,
): Promise<void> {
  await ctx.ic.snapshots.delete(id, snapshotId);
  await recordStatus(ctx, user, id, {
    change: { kind: 'snapshot_deleted', detail: `${snapshotId}.` },
    keep: (tx) => forgetSnapshotOrigin(tx, { canisterId: id, snapshotId }),
  });
}

/**
 * A running canister would change while it is copied, or have calls open whose code is gone.
 * @throws AppError canister_not_stopped
 */
export async function mustBeStopped(
  ctx: AppContext,
  id: string,
  when: string,
): Promise<{ moduleHash: string | null }> {
  const { status, moduleHash } = await ctx.ic.status(id);
  if (status === 'stopped') return { moduleHash };
  throw new AppError('canister_not_stopped', `The canister must be stopped ${when}.`);
}

/** @throws AppError not_found */
export function mustExist(snapshots: readonly NetworkSnapshot[], id: string): void {
  if (snapshots.some((snapshot) => snapshot.id === id)) return;
  throw new AppError('not_found', 'The canister does not have this snapshot.');
}

function toSnapshot({ id, takenAtNanos, totalSize }: NetworkSnapshot): CanisterSnapshot {
  return {
    id,
    taken_at: new Date(Number(takenAtNanos / 1_000_000n)).toISOString(),
    total_size: totalSize.toString(),
  };
}
