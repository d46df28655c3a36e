import { formatTrillions } from '@cannery/contract';
import { BuildError } from '../../../builders/build-error.ts';
import { sizeText } from '../../../builders/site/amount-text.ts';
import { AppError, isNetworkAway } from '../../../errors.ts';
import { type CodeUpgrade, upgradeCode } from '../../canister/change/change-code.ts';
import { runAction } from '../../canister/core/run-action.ts';
import { automaticSnapshotOf, runCause } from '../store/run-changes.ts';
import { originOfRun, type Publication } from './publish-site.ts';

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
  const { canisterId: id, name, wasm, arg } = code;
  const upgrade: CodeUpgrade = {
    code: { wasm, arg, origin: await originOfRun(publication) },
    before: code.installed,
    target: code.hash,
    fields: { instance_id: instanceId, name },
    detail: `By the deploy '${deploy.name}'.`,
    // The one that the run before has taken, unless the user has deleted it.
    async replaced(there) {
      const automatic = await automaticSnapshotOf(ctx.db, id);
      return there.find((one) => one === automatic);
    },
    keep: (take, cycles) => keepState(publication, code, { take, cycles }),
  };
  return runAction(ctx, user, id, async (canister) => {
    const canReturn = await upgradeCode(ctx, user, canister, { cause: runCause, upgrade });
    ctx.failpoint('deploy.upgraded');
    return canReturn;
  });
}

/** Has a snapshot taken and says what it has cost, or goes on without one where the deploy allows that. */
async function keepState(
  { ctx, deploy, say }: Publication,
  { canisterId: id, name }: NewCode,
  { take, cycles }: { take: Parameters<CodeUpgrade['keep']>[0]; cycles: bigint },
): Promise<void> {
  try {
    const taken = await take();
    const cost = cycles - (await ctx.ic.status(id)).cycles;
    say(
      `Snapshot ${taken.id} of ${name} is taken: ${sizeText(Number(taken.total_size))}, for ${formatTrillions(cost)} of its cycles.`,
    );
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
  }
}
