import type { AppContext } from '../../../context.ts';
import { AppError } from '../../../errors.ts';
import { messageOfCommit } from '../../../git/repository/commit-message.ts';
import type { Push, PushWatcher } from '../../../git/host/push.ts';
import { newestOf } from '../../../git/repository/read-refs.ts';
import { plainLine } from '../../../jobs/clean-line.ts';
import { type DeployRow, deploysOnPush } from '../store/store.ts';
import { skipWordsOf } from './skip-words.ts';
import { triggerDeploy } from './trigger-deploy.ts';

/** Deploys of which one push is told; the others run all the same. */
const TOLD = 10;
/** Characters of the name of a deploy in a line for a terminal. */
const NAME_SHOWN = 100;

/** Starts a run of each deploy whose branch is pushed, and tells the one who pushes where to watch it, or why there is none. */
export function deployOnPush(ctx: AppContext): PushWatcher {
  /** Starts the run of a deploy, and says so in a line. */
  async function start(push: Push, { id, name }: DeployRow, what: string): Promise<string> {
    const shown = `'${plainLine(name).slice(0, NAME_SHOWN)}'`;
    try {
      await triggerDeploy(ctx, push.user, { deployId: id, triggerBy: 'PUSH' });
      return `${what} deploys ${shown}: ${ctx.addresses.publicUrl}/ics/deploy/${id}`;
    } catch (error) {
      // Such as too many runs in line: the push is done whatever becomes of the deploy.
      ctx.log.warn({ err: error, deployId: id }, 'a push has started no run');
      const why = error instanceof AppError ? error.message : 'Something went wrong on the server.';
      return `${what} does not deploy ${shown}: ${why}`;
    }
  }

  async function deploysOf({ user, repository, branches }: Push): Promise<DeployRow[]> {
    if (branches.size === 0) return [];
    return deploysOnPush(ctx.db, user.id, { name: repository.name, branches: [...branches.keys()] });
  }

  return {
    async arrived(push) {
      const { gitDir } = push.repository;
      const lines: string[] = [];
      /** By the commit: several deploys may have one branch. */
      const skipped = new Map<string, string | null>();
      for (const deploy of await deploysOf(push)) {
        const { branch, name } = deploy;
        const commit = await newestOf(gitDir, branch);
        // Git has refused this branch.
        if (commit === null || commit !== push.branches.get(branch)) continue;
        if (!skipped.has(commit)) skipped.set(commit, skipWordsOf(await messageOfCommit(gitDir, commit)));
        const words = skipped.get(commit);
        const what = `A push to ${branch}`;
        lines.push(
          words
            ? `${what} does not deploy '${plainLine(name).slice(0, NAME_SHOWN)}': the message of ${commit.slice(0, 7)} has ${words}`
            : await start(push, deploy, what),
        );
      }
      const more = lines.length - TOLD;
      return more > 0 ? [...lines.slice(0, TOLD), `The same for ${more} more.`] : lines;
    },
  };
}
