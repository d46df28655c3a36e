import { randomUUID } from 'node:crypto';
import { lstat, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { removeStaleGroups } from '../sandbox/cgroup.ts';
import { REPLACED } from '../packages/programs/fetch-program.ts';
import { removeFolder } from '../process/remove-folder.ts';
import { sizeOfFolder } from '../process/folder-size.ts';
import { openWorkspace, type WorkspaceMachine } from '../disks/workspace.ts';

/** Older build folders belong to no build: every limit of a build is shorter. */
const STALE_MS = 4 * 60 * 60 * 1000;
/** A kept module, or a disk, that no run has used for so long, in milliseconds, is given up. */
const UNUSED_MS = 30 * 24 * 60 * 60 * 1000;
/** Bytes of what is fetched for one user, of the packages kept for one, and of the programs for all; beyond that it starts empty. */
const CACHE_LIMIT = 4 * 1024 ** 3;
/** Files and folders of one of them that are counted. */
const CACHE_ENTRIES = 2_000_000;
/** In whose name programs are fetched. */
export const PROGRAMS_OWNER = 'programs';

/** Folders of what the server itself writes for builds. */
export interface TidiedFolders {
  /** Motoko modules, a folder for each user. */
  readonly modules: string;
  /** Verified packages of Motoko. */
  readonly packages: string;
  /** Programs that builds run. */
  readonly programs: string;
}

async function entriesOf(folder: string): Promise<string[]> {
  return (await readdir(folder).catch(() => [])).map((name) => join(folder, name));
}

/** Whether the server has made an entry before a time, in milliseconds. */
async function isOld(path: string, age: number): Promise<boolean> {
  const found = await lstat(path).catch(() => null);
  return found !== null && Date.now() - found.mtimeMs > age;
}

/**
 * Removes what builds of a tenant have left that ended long ago, and what has grown too large.
 * @param isUsed whether builds of the tenant are in this folder; not so since they have disks
 */
async function tidyTenant(machine: WorkspaceMachine, owner: string, isUsed: boolean): Promise<void> {
  const builds = join(machine.tenantsFolder, owner, 'builds');
  for (const id of await readdir(builds).catch(() => [])) {
    if (await isOld(join(builds, id), STALE_MS)) await (await openWorkspace(machine, { owner, id })).remove();
  }
  const workspace = await openWorkspace(machine, { owner, id: `tidy-${randomUUID()}` });
  try {
    for (const folder of [workspace.cache, workspace.kept])
      if (!isUsed || (await folder.bytes('', CACHE_LIMIT)) > CACHE_LIMIT) await folder.empty();
  } finally {
    await workspace.remove();
  }
}

/** Removes what no build needs: folders of builds that ended long ago, and caches that have grown too large. */
export async function tidyUp(
  machine: WorkspaceMachine,
  { modules, packages, programs }: TidiedFolders,
): Promise<void> {
  await removeStaleGroups(STALE_MS);
  const failures: unknown[] = [];
  const { images, ...plain } = machine;
  await images?.forget(UNUSED_MS);
  for (const owner of await readdir(machine.tenantsFolder).catch(() => [])) {
    const isUsed = images === undefined || owner === PROGRAMS_OWNER;
    await tidyTenant(plain, owner, isUsed).catch((error: unknown) => failures.push(error));
  }
  for (const path of await entriesOf(machine.buildsFolder))
    if (await isOld(path, STALE_MS)) await removeFolder(path);
  const ofUsers = await entriesOf(modules);
  for (const folder of ofUsers)
    for (const path of await entriesOf(folder))
      if (await isOld(path, UNUSED_MS)) await rm(path, { force: true });
  for (const path of await entriesOf(programs))
    if (path.includes(`/${REPLACED}`) && (await isOld(path, STALE_MS))) await removeFolder(path);
  for (const path of [packages, programs, ...ofUsers])
    if ((await sizeOfFolder(path, { bytes: CACHE_LIMIT, entries: CACHE_ENTRIES })).bytes > CACHE_LIMIT)
      await removeFolder(path);
  if (failures.length > 0) throw failures[0];
}
