import type { AppContext } from '../../../context.ts';
import { AppError } from '../../../errors.ts';
import type { Push, PushWatcher } from '../../../git/host/push.ts';
import { messageOfCommit } from '../../../git/repository/commit-message.ts';
import { newestOf } from '../../../git/repository/read-refs.ts';
import { tagOf } from '../../../git/repository/read-tag.ts';
import { idOf } from '../../../git/repository/repository-id.ts';
import { plainLine } from '../../../jobs/clean-line.ts';
import { isDeployedTag } from '../settings/push-triggers.ts';
import type { TaggedCommit } from '../store/run-store.ts';
import { type DeployRow, deploysOnPush } from '../store/store.ts';
import { skipWordsOf } from './skip-words.ts';
import { triggerDeploy } from './trigger-deploy.ts';
import { unchangedSince } from './unchanged-since.ts';

/** Deploys of which one push is told; the others run all the same. */
const TOLD = 10;
/** Deploys whose watch paths are looked at for one push; the others run. */
const COMPARED = 20;
/** Tags that one push may bring to start runs, as at GitHub: more are a copy of a repository, and no release. */
const MOST_TAGS = 3;
/** Characters of the name of a deploy, and of a branch or tag, in a line for a terminal. */
const NAME_SHOWN = 100;

const shown = (name: string): string => plainLine(name).slice(0, NAME_SHOWN);

/** What a push does to a deploy: a line for the one who pushes. */
interface Told {
  readonly what: string;
  /** Why it starts no run. */
  readonly why: string;
}

const notDeployed = ({ name }: DeployRow, { what, why }: Told): string =>
  `${what} does not deploy '${shown(name)}': ${why}`;

/** Starts a run of each deploy whose branch or tag is pushed, and tells the one who pushes where to watch it, or why there is none. */
export function deployOnPush(ctx: AppContext): PushWatcher {
  /** Starts the run of a deploy, and says so in a line. */
  async function start(push: Push, deploy: DeployRow, what: string, tag?: TaggedCommit): Promise<string> {
    const { id, name } = deploy;
    try {
      await triggerDeploy(ctx, push.user, { deployId: id, triggerBy: 'PUSH', tag });
      return `${what} deploys '${shown(name)}': ${ctx.addresses.publicUrl}/ics/deploy/${id}`;
    } catch (error) {
      // Such as too many runs in line: the push is done whatever becomes of the deploy.
      ctx.log.warn({ err: error, deployId: id }, 'a push has started no run');
      const why = error instanceof AppError ? error.message : 'Something went wrong on the server.';
      return notDeployed(deploy, { what, why });
    }
  }

  /** What the branches of a push start. */
  async function onBranches(push: Push, deploys: readonly DeployRow[]): Promise<string[]> {
    const { gitDir } = push.repository;
    const lines: string[] = [];
    /** By the commit: several deploys may have one branch. */
    const skipWords = new Map<string, string | null>();
    let compared = 0;
    for (const deploy of deploys) {
      const { branch, settings } = deploy;
      if (!settings.on_push || !push.branches.has(branch)) continue;
      const commit = await newestOf(gitDir, branch);
      // Git has refused this branch.
      if (commit === null || commit !== push.branches.get(branch)) continue;
      const what = `A push to ${shown(branch)}`;
      if (settings.push_paused_at !== null) {
        const why = `deploy on push is paused; resume it at ${ctx.addresses.publicUrl}/ics/deploy/${deploy.id}`;
        lines.push(notDeployed(deploy, { what, why }));
        continue;
      }
      if (!skipWords.has(commit)) skipWords.set(commit, skipWordsOf(await messageOfCommit(gitDir, commit)));
      const words = skipWords.get(commit);
      if (words) {
        const why = `the message of ${commit.slice(0, 7)} has ${words}`;
        lines.push(notDeployed(deploy, { what, why }));
        continue;
      }
      compared += settings.watch_paths.length > 0 ? 1 : 0;
      const since = compared > COMPARED ? null : await unchangedSince(ctx, deploy, { gitDir, commit });
      if (since === null) lines.push(await start(push, deploy, what));
      else {
        const why = `nothing of its watch paths has changed since ${since.slice(0, 7)}`;
        lines.push(notDeployed(deploy, { what, why }));
      }
    }
    return lines;
  }

  /** What the tags of a push start. */
  async function onTags(push: Push, deploys: readonly DeployRow[]): Promise<string[]> {
    const lines: string[] = [];
    const tagged = deploys.filter(({ settings }) => settings.deploy_tags !== '');
    if (push.tags.size > MOST_TAGS && tagged.length > 0)
      return [`More than ${MOST_TAGS} tags at once deploy nothing: push those to deploy by themselves.`];
    for (const [name, target] of tagged.length === 0 ? [] : push.tags) {
      const tag = await tagOf(push.repository.gitDir, name);
      // Git has refused this tag, or it leads to no commit.
      if (tag === null || tag.target !== target) continue;
      for (const deploy of tagged) {
        if (!isDeployedTag(deploy.settings.deploy_tags, name)) continue;
        lines.push(await start(push, deploy, `The tag ${shown(name)}`, { name, commit: tag.commit }));
      }
    }
    return lines;
  }

  return {
    async arrived(push) {
      const { user, repository, branches, tags } = push;
      if (branches.size + tags.size === 0) return [];
      const repositoryId = await idOf(repository.gitDir);
      const pushed = { repositoryId, branches: [...branches.keys()], tags: tags.size > 0 };
      const deploys = await deploysOnPush(ctx.db, user.id, pushed);
      const lines = [...(await onBranches(push, deploys)), ...(await onTags(push, deploys))];
      const more = lines.length - TOLD;
      return more > 0 ? [...lines.slice(0, TOLD), `The same for ${more} more.`] : lines;
    },
  };
}
