import { formatTrillions } from '@cannery/contract';
import { sizeText } from '../../../builders/site/amount-text.ts';
import { BuildError } from '../../../builders/build-error.ts';
import { AppError, isNetworkAway } from '../../../errors.ts';
import { putCode } from '../../canister/code/install-code.ts';
import { runAction } from '../../canister/core/run-action.ts';
import { switchRunning } from '../../canister/lifecycle/set-running.ts';
import { addSnapshot } from '../../canister/snapshots/snapshots.ts';
import { endUpgrade } from './end-upgrade.ts';
import { originOfRun, type Publication } from './publish-site.ts';
import {
  automaticSnapshotOf,
  beginUpgrade,
  findUpgrade,
  noteTaken,
  type UpgradeRow,
} from '../store/upgrade-store.ts';

/** New code for a canister that runs code already. */
export interface NewCode {
  readonly canisterId: string;
  /** The canister's name in the project. */
  readonly name: string;
  readonly wasm: Uint8Array;
  /** SHA-256 of the module, and of the one that is installed; hex. */
  readonly hash: string;
  readonly installed: string;
  /** Candid-encoded. */
  readonly arg: Uint8Array;
}

/**
 * Upgrades a canister of the deploy after a snapshot of it was taken, for which it is stopped. An upgrade that fails leaves it
 * as it was, and it runs again if it ran, also when this process dies in between.
 * @returns whether it can go back, which it cannot where no snapshot was possible and the deploy goes on without one
 * @throws BuildError where no snapshot was possible and the deploy stops then; AppError of stopping and installing
 */
export async function upgradeGuarded(publication: Publication, code: NewCode): Promise<boolean> {
  const { ctx, user, deploy, instanceId } = publication;
  const { canisterId, name, wasm, arg } = code;
  return runAction(ctx, user, canisterId, async (canister) => {
    const cause = `By the deploy '${deploy.name}'.`;
    const earlier = await findUpgrade(ctx.db, canisterId);
    const { status } = await ctx.ic.status(canisterId);
    const before = (await ctx.ic.snapshots.list(canisterId)).map(({ id }) => id);
    const upgrade = await ctx.transact((tx) =>
      beginUpgrade(tx, {
        canister_id: canisterId,
        user_id: user.id,
        instance_id: instanceId,
        name,
        was_running: earlier?.was_running ?? status === 'running',
        before_hash: code.installed,
        target_hash: code.hash,
        before_origin: canister.origin_hash === code.installed ? canister.origin : { kind: 'unknown' },
        snapshots_before: before,
      }),
    );
    ctx.failpoint('deploy.begun');
    let canReturn = upgrade.snapshot_id !== null;
    try {
      // An earlier attempt of this run has one of what ran before the run.
      if (!canReturn) canReturn = await keepState(publication, upgrade, { status, cause });
      const origin = originOfRun(publication);
      await putCode(ctx, user, canister, { wasm, arg, mode: 'upgrade', origin, cause });
      ctx.failpoint('deploy.installed');
    } catch (error) {
      await endUpgrade(ctx, user, canisterId).catch((reason: unknown) => {
        ctx.log.warn({ err: reason, canisterId }, 'An upgrade by a deploy is ended later');
      });
      throw error;
    }
    const ended = await endUpgrade(ctx, user, canisterId);
    if (ended?.startFailure !== undefined) throw ended.startFailure;
    return canReturn;
  });
}

/** Stops a canister and takes a snapshot of it, instead of the one that the run before has taken. */
async function keepState(
  { ctx, user, deploy, say }: Publication,
  { canister_id: id, name, snapshots_before: before }: UpgradeRow,
  { status, cause }: { status: string; cause: string },
): Promise<boolean> {
  try {
    if (status !== 'stopped') await switchRunning(ctx, user, id, false);
    ctx.failpoint('deploy.stopped');
    const automatic = await automaticSnapshotOf(ctx.db, id);
    const replaced = before.find((one) => one === automatic);
    const { cycles } = await ctx.ic.status(id);
    const taken = await addSnapshot(ctx, user, id, replaced, cause);
    ctx.failpoint('deploy.taken');
    await ctx.transact((tx) => noteTaken(tx, id, taken.id));
    ctx.failpoint('deploy.kept');
    const cost = cycles - (await ctx.ic.status(id)).cycles;
    say(
      `Snapshot ${taken.id} of ${name} is taken: ${sizeText(Number(taken.total_size))}, for ${formatTrillions(cost)} of its cycles.`,
    );
    return true;
  } catch (error) {
    const isAway: boolean = isNetworkAway(error);
    if (isAway || !(error instanceof AppError)) throw error;
    const reason = `${error.message}${error.detail === undefined ? '' : ` (${error.detail})`}`;
    if (deploy.settings.snapshots === 'require') {
      throw new BuildError(
        `${name} was not upgraded, since no snapshot of it could be taken: ${reason} ` +
          'Make that possible on its page, or choose in the settings of the deploy to go on without one.',
        { cause: error },
      );
    }
    say(`Warning: no snapshot of ${name} could be taken, so it cannot go back: ${reason}`);
    return false;
  }
}
