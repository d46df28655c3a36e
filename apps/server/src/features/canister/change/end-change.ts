import type { Actor, AppContext } from '../../../context.ts';
import { isNetworkAway } from '../../../errors.ts';
import type { FaultPoint } from '../../../fault-points.ts';
import { type Claimed, findCanister } from '../core/store.ts';
import { unlessAway } from '../core/refusals.ts';
import { switchRunning } from '../lifecycle/set-running.ts';
import { hasOpenIntent } from '../payment/intents.ts';
import { putBack } from '../snapshots/restore-snapshot.ts';
import { adoptSnapshotOrigin, forgetSnapshotOrigin } from '../snapshots/snapshot-origins.ts';
import type { ChangeCause, Ending, Outcome } from './change-cause.ts';
import { type CodeChange, findChange, noteTaken, setPhase } from './change-store.ts';

/** What a change of code, or the way back from one, came to. */
export interface EndedChange {
  readonly outcome: Outcome;
  /** Why the canister could not be started again. */
  readonly startFailure: unknown;
}

/**
 * Ends the change of a canister that the caller has claimed, or its way back, as record and network tell: the canister runs
 * again if it ran before, no chunks of a module are left, and its cause writes down what has become of it. What was done before is
 * not done twice.
 * @param restores whether a way back that was begun is carried out; else it is dropped, unless it is done
 * @returns undefined while the outcome of a call is not known, or when there is nothing to end
 * @throws AppError network_unavailable: to be tried again; what restoring a snapshot throws, after which the canister runs with
 * the code that it has
 */
export async function endChange(
  ctx: AppContext,
  user: Actor,
  canister: Claimed,
  cause: ChangeCause,
  restores = cause.resumesReturns,
): Promise<EndedChange | undefined> {
  const change = await findChange(ctx.db, canister.id, cause.name);
  if (change === undefined || (await hasOpenIntent(ctx.db, canister.id))) return undefined;
  if (change.phase === 'upgrading')
    return endUpgrade(ctx, user, cause, await adoptSnapshot(ctx, cause, change));
  if (change.phase === 'restoring' && !restores) return dropReturn(ctx, user, cause, change);
  if (change.phase === 'restoring' || change.phase === 'restored')
    return endReturn(ctx, user, canister, cause, change);
  return { outcome: change.phase, startFailure: undefined };
}

/** A crash may have come between the network's answer and the note of the snapshot. */
async function adoptSnapshot(ctx: AppContext, cause: ChangeCause, change: CodeChange): Promise<CodeChange> {
  const { canister_id: id, snapshots_before: before } = change;
  if (change.snapshot_id !== null) return change;
  const there = (await ctx.ic.snapshots.list(id)).map((one) => one.id);
  const added = there.filter((one) => !before.includes(one));
  const gone = before.filter((one) => !there.includes(one));
  const [taken] = added;
  // Of several, others have taken some; none is replaced or deleted later on a guess.
  if (taken === undefined || added.length > 1) return change;
  const { before_hash: moduleHash, before_origin: origin } = change;
  await ctx.transact(async (tx) => {
    await noteTaken(tx, id, taken);
    await cause.noteTaken(tx, id, taken);
    // The one that it has replaced.
    for (const snapshotId of gone) await forgetSnapshotOrigin(tx, { canisterId: id, snapshotId });
    if (origin !== null)
      await adoptSnapshotOrigin(tx, { canisterId: id, snapshotId: taken, moduleHash, origin });
  });
  return { ...change, snapshot_id: taken };
}

async function endUpgrade(
  ctx: AppContext,
  user: Actor,
  cause: ChangeCause,
  change: CodeChange,
): Promise<EndedChange> {
  const { canister_id: id, before_hash: before, target_hash: target } = change;
  const hash = await ctx.ic.moduleHash(id);
  // Others may have put in code; what the change itself has done, or an earlier attempt of its run, is written down.
  const isOurs = hash !== null && hash === (await recordedHash(ctx, user, id));
  const outcome = isOurs && (hash !== before || before === target) ? 'upgraded' : 'unchanged';
  return settle(ctx, user, cause, { change, outcome, hash }, `${cause.steps.upgrade}.started`);
}

/** A way back that was cut off before it was carried out: its user has been told that it failed, and may ask again. */
async function dropReturn(
  ctx: AppContext,
  user: Actor,
  cause: ChangeCause,
  change: CodeChange,
): Promise<EndedChange> {
  const { canister_id: id, before_hash: before } = change;
  const hash = await ctx.ic.moduleHash(id);
  const isDone = hash === before && (await recordedHash(ctx, user, id)) === before;
  const outcome = isDone ? 'returned' : 'unchanged';
  return settle(ctx, user, cause, { change, outcome, hash }, cause.steps.resumed);
}

async function endReturn(
  ctx: AppContext,
  user: Actor,
  canister: Claimed,
  cause: ChangeCause,
  change: CodeChange,
): Promise<EndedChange> {
  const { canister_id: id, before_hash: before, target_hash: target } = change;
  const hash = await ctx.ic.moduleHash(id);
  if (hash === null || (hash !== target && hash !== before))
    return settle(ctx, user, cause, { change, outcome: 'changed by others', hash }, cause.steps.resumed);
  if (change.phase === 'restoring') await restore(ctx, user, canister, cause, { change, hash });
  return settle(ctx, user, cause, { change, outcome: 'returned', hash: before }, cause.steps.resumed);
}

/** Lets the canister run again, leaves nothing that is of no use, and writes down what the change came to. */
async function settle(
  ctx: AppContext,
  user: Actor,
  cause: ChangeCause,
  ending: Ending,
  step: FaultPoint,
): Promise<EndedChange> {
  const { change, outcome } = ending;
  const { canister_id: id, phase } = change;
  const startFailure = await startAgain(ctx, user, change);
  ctx.failpoint(step);
  await unlessAway(ctx, id, () => cause.tidy(ctx, user, ending));
  // A crash may have come between the upload of a large module and its installation; chunks cost cycles while they stay.
  if (phase === 'upgrading' && outcome === 'unchanged')
    await unlessAway(ctx, id, () => ctx.ic.clearChunks(id));
  await ctx.transact((tx) => cause.settle(tx, user, ending));
  return { outcome, startFailure };
}

/** The code that the books have of a canister. */
async function recordedHash(ctx: AppContext, user: Actor, canisterId: string): Promise<string | null> {
  return (await findCanister(ctx.db, user.id, canisterId)).origin_hash;
}

async function restore(
  ctx: AppContext,
  user: Actor,
  canister: Claimed,
  cause: ChangeCause,
  { change, hash }: { change: CodeChange; hash: string },
): Promise<void> {
  const { canister_id: id, snapshot_id: snapshotId, target_hash: target } = change;
  if (snapshotId === null) throw new Error(`The change of ${id} has no snapshot to go back to.`);
  try {
    if ((await ctx.ic.status(id)).status !== 'stopped') await switchRunning(ctx, user, id, false);
    ctx.failpoint(cause.steps.halted);
    // Where the code is that of before already, an earlier attempt has put it back.
    if (hash === target) await putBack(ctx, user, canister, snapshotId);
  } catch (error) {
    if (isNetworkAway(error)) throw error;
    await startAgain(ctx, user, change);
    await ctx.transact((tx) => cause.settle(tx, user, { change, outcome: 'not returned', hash }));
    throw error;
  }
  ctx.failpoint(cause.steps.restored);
  await ctx.transact((tx) => setPhase(tx, id, 'restored'));
}

async function startAgain(ctx: AppContext, user: Actor, change: CodeChange): Promise<unknown> {
  const { canister_id: id, was_running: wasRunning } = change;
  return wasRunning ? unlessAway(ctx, id, () => switchRunning(ctx, user, id, true)) : undefined;
}
