import type { RunComparison } from '@cannery/contract';
import type { Actor, AppContext } from '../../../context.ts';
import { AppError } from '../../../errors.ts';
import { changedFiles } from '../../../git/repository/changed-names.ts';
import { placeOfDeploy } from '../../repository/repository-place.ts';
import { findInstance } from '../store/run-store.ts';
import { findDeploy } from '../store/store.ts';

/** Files that are listed; the rest is a clone away. */
const FILES_SHOWN = 200;

/**
 * Files that differ between the commit of the run that is live and that of another one.
 * @throws AppError not_found, also for somebody else's deploy; repository_deleted; invalid_input for a repository of another host
 */
export async function compareRun(
  ctx: AppContext,
  user: Actor,
  { deployId, instanceId }: { deployId: string; instanceId: string },
): Promise<RunComparison> {
  const deploy = await findDeploy(ctx.db, user.id, deployId);
  const place = placeOfDeploy(ctx, deploy);
  const { commit_sha: to } = await findInstance(ctx.db, user.id, deployId, instanceId);
  const { live_run_id: live } = deploy;
  const from = live === null ? null : (await findInstance(ctx.db, user.id, deployId, live)).commit_sha;
  if (place.kind !== 'own') {
    throw new AppError('invalid_input', 'The commits are at another git host, which compares them itself.');
  }
  const files =
    from === null || to === null
      ? null
      : await ctx.git.reading(place, user, async ({ gitDir, bring }) => {
          for (const commit of [from, to]) await bring?.(commit);
          return changedFiles(gitDir, from, to);
        });
  return {
    from,
    to,
    owner: deploy.repo_owner,
    repo: deploy.repo_name,
    files: files?.slice(0, FILES_SHOWN) ?? null,
    more_files: (files?.length ?? 0) > FILES_SHOWN,
  };
}
