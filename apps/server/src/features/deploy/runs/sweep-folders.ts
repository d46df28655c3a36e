import { readdir } from 'node:fs/promises';
import { openWorkspace, type WorkspaceMachine } from '../../../builders/disks/workspace.ts';
import type { AppContext } from '../../../context.ts';

/** After its end a run may still put its packages back, in milliseconds. */
const GRACE_MS = 5 * 60 * 1000;

/**
 * Removes folders of runs that are over, which a server has left that was killed: variables of a build may be in them.
 * @returns how many it has removed
 */
export async function sweepFolders(
  { db }: Pick<AppContext, 'db'>,
  machine: WorkspaceMachine,
  graceMs = GRACE_MS,
): Promise<number> {
  const names = await readdir(machine.buildsFolder);
  if (names.length === 0) return 0;
  const ended = await db
    .selectFrom('deploy_instances')
    .select(['id', 'user_id'])
    .where('id', 'in', names)
    .where('finished_at', '<', new Date(Date.now() - graceMs))
    .execute();
  let removed = 0;
  for (const { id, user_id: owner } of ended) {
    // What cannot be removed now is tried again the next time.
    const isGone = await openWorkspace(machine, { owner, id })
      .then((workspace) => workspace.remove())
      .then(
        () => true,
        () => false,
      );
    if (isGone) removed += 1;
  }
  return removed;
}
