import type { CanisterSnapshot } from '@cannery/contract';
import type { Actor, AppContext } from '../../../context.ts';
import type { CodeOrigin } from '../../../db/tables/code-origin.ts';
import { AppError } from '../../../errors.ts';
import { putCode } from '../code/install-code.ts';
import { mustHaveLease } from '../core/run-action.ts';
import type { CanisterRow } from '../core/store.ts';
import { switchRunning } from '../lifecycle/set-running.ts';
import { addSnapshot } from '../snapshots/snapshots.ts';
import type { ChangeCause } from './change-cause.ts';
import { beginChange, type CodeChange, findChange, type NewChange, noteTaken } from './change-store.ts';
import { endChange } from './end-change.ts';

/** What only the cause of a change knows of it. */
type CauseFields = Partial<
  Pick<NewChange, 'instance_id' | 'name' | 'before_version' | 'request_key' | 'request_hash'>
>;

/** New code for a canister that runs code already. */
export interface CodeUpgrade {
  readonly code: { readonly wasm: Uint8Array; readonly arg: Uint8Array; readonly origin: CodeOrigin };
  /** SHA-256 of the module that is installed, and of the new one; hex. */
  readonly before: string;
  readonly target: string;
  readonly fields: CauseFields;
  /** A sentence for the canister's history. */
  readonly detail?: string;
  /** Which of the snapshots that are there the new one replaces; undefined for none. */
  replaced(there: readonly string[]): Promise<string | undefined>;
  /**
   * Has the snapshot taken, and says so where somebody reads that. May do without one when that fails: the canister then
   * cannot go back.
   * @param cycles of the canister before
   */
  keep(take: () => Promise<CanisterSnapshot>, cycles: bigint): Promise<void>;
}

/**
 * Upgrades a canister that the caller has claimed after a snapshot of it was taken, for which it is stopped. It runs again
 * afterwards if it ran before, however the work ends, and also when this process dies in between: the change is on disk before
 * the canister stops.
 * @returns whether it can go back, which it cannot where no snapshot was taken
 * @throws AppError what stopping, installing and starting throw, network_rejected when others have changed the code meanwhile
 */
export async function upgradeCode(
  ctx: AppContext,
  user: Actor,
  canister: CanisterRow,
  { cause, upgrade }: { cause: ChangeCause; upgrade: CodeUpgrade },
): Promise<boolean> {
  const { id } = canister;
  const { before, target, code, detail } = upgrade;
  const step = cause.steps.upgrade;
  const { status, cycles } = await ctx.ic.status(id);
  const change = await begin(ctx, user, canister, cause, {
    ...upgrade.fields,
    phase: 'upgrading',
    was_running: status === 'running',
    before_hash: before,
    target_hash: target,
    before_origin: canister.origin_hash === before ? canister.origin : { kind: 'unknown' },
  });
  ctx.failpoint(`${step}.begun`);
  // An earlier attempt may have one of what ran before.
  let isKept = change.snapshot_id !== null;
  const take = async (): Promise<CanisterSnapshot> => {
    if (status !== 'stopped') await switchRunning(ctx, user, id, false);
    ctx.failpoint(`${step}.stopped`);
    const replaced = await upgrade.replaced(change.snapshots_before);
    const taken = await addSnapshot(ctx, user, id, replaced, detail);
    ctx.failpoint(`${step}.taken`);
    await ctx.transact(async (tx) => {
      await noteTaken(tx, id, taken.id);
      await cause.noteTaken(tx, id, taken.id);
    });
    ctx.failpoint(`${step}.kept`);
    isKept = true;
    return taken;
  };
  try {
    if (!isKept) await upgrade.keep(take, cycles);
    await putCode(ctx, user, canister, { ...code, mode: 'upgrade', cause: detail });
    ctx.failpoint(`${step}.installed`);
  } catch (error) {
    await endChange(ctx, user, canister, cause).catch((reason: unknown) => {
      ctx.log.warn({ err: reason, canisterId: id }, `${cause.what} is ended later`);
    });
    throw error;
  }
  await finish(ctx, user, canister, cause);
  return isKept;
}

/**
 * Puts a canister that the caller has claimed back to a snapshot, code and data. It runs again afterwards if it ran before, also
 * when this process dies in between.
 * @throws AppError as `upgradeCode`
 */
export async function returnCode(
  ctx: AppContext,
  user: Actor,
  canister: CanisterRow,
  back: {
    readonly cause: ChangeCause;
    readonly before: string;
    readonly current: string;
    readonly snapshotId: string;
    readonly fields: CauseFields;
  },
): Promise<void> {
  const { status } = await ctx.ic.status(canister.id);
  await begin(ctx, user, canister, back.cause, {
    ...back.fields,
    phase: 'restoring',
    was_running: status === 'running',
    before_hash: back.before,
    target_hash: back.current,
    before_origin: null,
    snapshot_id: back.snapshotId,
  });
  ctx.failpoint('back.begun');
  await finish(ctx, user, canister, back.cause, true);
}

async function begin(
  ctx: AppContext,
  user: Actor,
  { id, action_id: lease }: CanisterRow,
  { name: cause }: ChangeCause,
  change: Omit<NewChange, 'canister_id' | 'user_id' | 'cause' | 'snapshots_before'>,
): Promise<CodeChange> {
  // What an earlier run has left in the middle was stopped for it.
  const earlier = await findChange(ctx.db, id, cause);
  const snapshots_before = (await ctx.ic.snapshots.list(id)).map((snapshot) => snapshot.id);
  const was_running = earlier?.was_running ?? change.was_running;
  return ctx.transact(async (tx) => {
    await mustHaveLease(tx, id, lease);
    return beginChange(tx, {
      ...change,
      canister_id: id,
      user_id: user.id,
      cause,
      snapshots_before,
      was_running,
    });
  });
}

async function finish(
  ctx: AppContext,
  user: Actor,
  canister: CanisterRow,
  cause: ChangeCause,
  restores?: boolean,
): Promise<void> {
  const ended = await endChange(ctx, user, canister, cause, restores);
  if (ended?.startFailure !== undefined) throw ended.startFailure;
  if (ended?.outcome === 'upgraded' || ended?.outcome === 'returned') return;
  throw new AppError('network_rejected', 'Somebody else has changed the code of the canister meanwhile.');
}
