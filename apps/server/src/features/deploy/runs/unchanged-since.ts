import type { AppContext } from '../../../context.ts';
import { changedNames } from '../../../git/repository/changed-names.ts';
import { WatchPaths } from '../settings/watch-paths.ts';
import { latestInstances } from '../store/run-store.ts';
import type { DeployRow } from '../store/store.ts';

/**
 * The commit that is live, when a pushed one changes nothing of the watch paths of a deploy: it need not run for that.
 * @returns null when it must run: without watch paths, after a change of one, and wherever what is live is not one commit that
 *   the repository has, such as after a run that has failed, while one is under way, and after one of a part of the project
 */
export async function unchangedSince(
  { db }: Pick<AppContext, 'db'>,
  { id, settings }: Pick<DeployRow, 'id' | 'settings'>,
  { gitDir, commit }: { gitDir: string; commit: string },
): Promise<string | null> {
  if (settings.watch_paths.length === 0) return null;
  const run = (await latestInstances(db, [id])).get(id);
  if (run?.status !== 'COMPLETED' || run.chosen_canisters !== null || run.commit_sha === null) return null;
  const names = await changedNames(gitDir, run.commit_sha, commit);
  if (names === null || (await new WatchPaths(settings.watch_paths).haveChanged(names))) return null;
  return run.commit_sha;
}
