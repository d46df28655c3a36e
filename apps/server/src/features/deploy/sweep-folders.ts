import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { BuildMachine } from '../../build/build-machine.ts';
import { removeFolder } from '../../build/remove-folder.ts';
import type { AppContext } from '../../context.ts';

/** After its end a run may still put its packages back, in milliseconds. */
const GRACE_MS = 5 * 60 * 1000;

/**
 * Removes folders of runs that are over, which a server has left that was killed: variables of a build may be in them.
 * @returns how many it has removed
 */
export async function sweepFolders(
  { db }: Pick<AppContext, 'db'>,
  { buildsFolder }: Pick<BuildMachine, 'buildsFolder'>,
  graceMs = GRACE_MS,
): Promise<number> {
  const names = await readdir(buildsFolder);
  if (names.length === 0) return 0;
  const ended = await db
    .selectFrom('deploy_instances')
    .select('id')
    .where('id', 'in', names)
    .where('finished_at', '<', new Date(Date.now() - graceMs))
    .execute();
  for (const { id } of ended) await removeFolder(join(buildsFolder, id));
  return ended.length;
}
