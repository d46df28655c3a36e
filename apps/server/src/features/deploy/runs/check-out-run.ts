import { join } from 'node:path';
import type { Workspace } from '../../../builders/disks/workspace.ts';
import { fillPointers } from '../../../builders/packages/fetched/fill-pointers.ts';
import { fetchSubmodules } from '../../../builders/packages/fetched/submodules.ts';
import { removeFolder } from '../../../builders/process/remove-folder.ts';
import { filesText, sizeText } from '../../../builders/site/amount-text.ts';
import { checkOut, checkOutCommit } from '../../../builders/source/checkout.ts';
import { writeHistory } from '../../../builders/source/history.ts';
import type { Actor, AppContext } from '../../../context.ts';
import type { CloneSource } from '../../../git/repository/git-host.ts';
import type { InstanceLog } from '../../../jobs/instance-log.ts';
import { lfsObjectsAt } from '../../repository/lfs-source.ts';
import { recordWhetherGone } from '../../repository/record-gone.ts';
import { ownSourceAt, placeOfDeploy, withSourceAt } from '../../repository/repository-place.ts';
import { noteCommit, type RunRow } from '../store/run-store.ts';
import type { DeployRow } from '../store/store.ts';
import { whenServed } from './wait-for-repositories.ts';

/** How many links are named in the log. */
const NAMED_LINKS = 20;

interface CheckedOut {
  readonly ctx: AppContext;
  readonly instance: RunRow;
  readonly deploy: DeployRow;
  readonly user: Actor;
  readonly log: InstanceLog;
  readonly signal: AbortSignal;
  readonly onCommit: () => void;
}

/** Whether commands of the project run in the checkout, which may ask git for its history. */
function runsCommands({ type, settings }: Pick<DeployRow, 'type' | 'settings'>): boolean {
  return type === 'CUSTOM' || (type === 'STATIC_SITE' && (settings.build_command ?? '').trim() !== '');
}

/**
 * Writes what a run builds into its folder: the newest commit of the branch, that of a tag or that of an earlier run, files of Git LFS, submodules and
 * links.
 * @returns the links that are written as texts, since they lead to nothing in the repository
 * @throws BuildError for a branch or commit that cannot be had; AppError for a repository that cannot
 */
export async function checkOutRun(run: CheckedOut, folders: Workspace): Promise<readonly string[]> {
  const { ctx, instance, deploy, user, log, signal } = run;
  const say: InstanceLog['say'] = (line, phase) => log.say(line, phase);
  const gitDir = join(folders.root, 'fetched.git');
  const place = placeOfDeploy(ctx, deploy);
  const { branch } = deploy;
  const { tag, rebuild_of: rebuilt, commit_sha: sha } = instance;
  // Of a run of the branch it is what an earlier attempt has built, and the branch may have gone on.
  const asked = tag === null && rebuilt === null ? null : sha;
  const into = { folder: folders.source, path: '' };
  const home = deploy.repo_url ?? `${ctx.addresses.publicUrl}/${deploy.repo_owner}/${deploy.repo_name}`;
  const write = async (source: CloneSource) => {
    // A folder that an operator has put back is the repository again.
    if (deploy.repository_deleted && deploy.repository_id !== null)
      await recordWhetherGone(ctx, deploy.repository_id, false);
    const written =
      asked === null
        ? await checkOut(into, source, branch, signal)
        : await checkOutCommit(into, source, asked, signal);
    await ctx.transact((tx) => noteCommit(tx, instance.id, written.commit));
    run.onCommit();
    say(`Commit ${written.commit.id.slice(0, 7)}: ${written.commit.subject}`);
    say(`${filesText(written.files)}, ${sizeText(written.bytes)}`);
    if (runsCommands(deploy)) {
      const scratch = join(folders.root, 'history');
      const onBranch = tag === null && rebuilt === null ? branch : null;
      const history = { ...source, id: written.commit.id, branch: onBranch, address: home, scratch, signal };
      if ((await writeHistory(into, history)) === 0)
        say('Its history could not be read in time: git knows nothing here.');
    }
    const objects = lfsObjectsAt(ctx, place, source, join(folders.root, 'lfs'));
    await fillPointers({ folder: folders.source, signal, say }, written, objects);
    return written;
  };
  const checkout = await whenServed(run, (begin) =>
    withSourceAt(ctx, user, place, { branch, gitDir, signal }, (source) => {
      begin();
      return write(source);
    }),
  );
  if (place.kind !== 'own') await removeFolder(gitDir);
  const { submodules } = checkout;
  // A repository of somebody else must not name those of the user: its commands would read them.
  const ownSource = async (url: string) =>
    place.kind === 'own' ? ownSourceAt(ctx, user, { owner: '', name: '', url }) : undefined;
  await fetchSubmodules({ folders, signal, say }, ctx, { submodules, home, ownSource });
  // Behind all that is written into the checkout.
  const links = await folders.source.layLinks(checkout.links);
  if (links.length === 0) return links;
  const more = links.length > NAMED_LINKS ? ` and ${links.length - NAMED_LINKS} more` : '';
  say(
    `Links that lead to nothing in the repository are written as text files: ${links.slice(0, NAMED_LINKS).join(', ')}${more}.`,
  );
  return links;
}
