import type { AppContext } from '../../../context.ts';
import type { Push, PushWatcher } from '../../../git/host/push.ts';
import { newestOf } from '../../../git/repository/read-refs.ts';
import { idOf } from '../../../git/repository/repository-id.ts';
import { type DeployRow, deploysOnPush } from '../store/store.ts';
import { triggerDeploy } from './trigger-deploy.ts';

/** Deploys that one push announces; the others run all the same. */
const ANNOUNCED = 10;

/** Starts a run of each deploy whose branch is pushed, and tells the one who pushes where to watch it. */
export function deployOnPush(ctx: AppContext): PushWatcher {
  async function deploysOf({ user, repository, branches }: Push): Promise<DeployRow[]> {
    if (branches.size === 0) return [];
    const repositoryId = await idOf(repository.gitDir);
    return deploysOnPush(ctx.db, user.id, { repositoryId, branches: [...branches.keys()] });
  }

  return {
    async announce(push) {
      const deploys = await deploysOf(push);
      return deploys
        .slice(0, ANNOUNCED)
        .map(
          ({ id, name, branch }) =>
            `A push to ${branch} deploys '${name}': ${ctx.addresses.publicUrl}/ics/deploy/${id}`,
        );
    },
    async arrived(push) {
      for (const { id, branch } of await deploysOf(push)) {
        const commit = await newestOf(push.repository.gitDir, branch);
        // Git has refused this branch.
        if (commit === null || commit !== push.branches.get(branch)) continue;
        await triggerDeploy(ctx, push.user, { deployId: id, triggerBy: 'PUSH' }).catch((error: unknown) => {
          // Such as too many runs in line: the push is done whatever becomes of the deploy.
          ctx.log.warn({ err: error, deployId: id }, 'a push has started no run');
        });
      }
    },
  };
}
