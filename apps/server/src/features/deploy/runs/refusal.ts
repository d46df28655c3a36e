import { PUBLISH_ANYWAY_STEP } from '@cannery/contract';
import { BuildError } from '../../../builders/build-error.ts';
import type { AppContext } from '../../../context.ts';
import { AppError } from '../../../errors.ts';
import { PackTooLargeError } from '../artifacts/artifact-pack.ts';
import type { StoredArtifact } from '../artifacts/keep-artifact.ts';
import { BrokenInterfaceError } from '../publish/check-upgrade.ts';
import type { RunRow } from '../store/run-store.ts';
import type { DeployRow } from '../store/store.ts';

interface RefusedRun {
  readonly ctx: AppContext;
  readonly instance: RunRow;
  readonly deploy: DeployRow;
}

/** The run was refused for an interface, and what it has built may be published when its owner approves it. */
export class RefusedRunError extends BuildError {
  readonly artifact: StoredArtifact;

  constructor(message: string, artifact: StoredArtifact) {
    super(`${message} ${PUBLISH_ANYWAY_STEP}`);
    this.artifact = artifact;
  }
}

/** Why nothing was published; the next step follows what the deploy does with interfaces that break callers. */
export function refusalOf(
  run: RefusedRun,
  reason: unknown,
  stored: PromiseSettledResult<StoredArtifact>,
): unknown {
  if (!(reason instanceof BrokenInterfaceError)) return reason;
  if (run.deploy.settings.breaking_changes === 'refuse') {
    return new BuildError(
      `${reason.message} Keep the interface compatible, or allow such a change in the settings of the deploy.`,
    );
  }
  if (stored.status === 'fulfilled') return new RefusedRunError(reason.message, stored.value);
  return new BuildError(
    `${reason.message} It cannot be published anyway: ${notKeptText(run, stored.reason)} Keep the interface compatible, or allow such a change in the settings of the deploy.`,
  );
}

/** Why what a run publishes is not kept. */
export function notKeptText({ ctx, instance }: Pick<RefusedRun, 'ctx' | 'instance'>, error: unknown): string {
  const isTooLarge = error instanceof PackTooLargeError;
  if (!isTooLarge) ctx.log.error({ err: error, instanceId: instance.id }, 'an artifact could not be kept');
  const told = isTooLarge || error instanceof AppError;
  return told ? error.message : 'what it publishes could not be stored.';
}
