import { chmod, lstat, mkdir, readFile, realpath, rename, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { BUILD_UID } from '../process/build-user.ts';
import { BuildError } from '../build-error.ts';
import type { Resident, TenantDisk } from './tenant-disk.ts';
import { UserIds } from './user-ids.ts';

/** Name of the server's file, in a folder that only the server writes, with the id of the user of a tenant's builds. */
const RECORD = 'user';

/** Where the ids of users are recorded for the folders of tenants. */
export function userIdsBeside(tenantsFolder: string): UserIds {
  return new UserIds(join(dirname(tenantsFolder), 'build-users'));
}

async function recordedUser(folder: string): Promise<number | null> {
  const text = await readFile(join(folder, RECORD), 'latin1').catch(() => null);
  return text === null || !/^\d{1,9}$/.test(text) ? null : Number(text);
}

async function recordUser(folder: string, users: UserIds): Promise<number> {
  const user = await users.claim('folder');
  if (user === null)
    throw new BuildError(
      'No id of a user is left for this build. Tell the operator: see docs/decisions/0093.',
    );
  const draft = join(folder, `${RECORD}.draft`);
  await writeFile(draft, String(user));
  await rename(draft, join(folder, RECORD));
  return user;
}

/**
 * The plain folder of a tenant. It is asked for one after the other: two builds of a new tenant get the same user. What is written to it is bounded by looks only; where the server is root, a user belongs to
 * it, recorded in a file beside the folders of the tenant.
 * @param hasUsers whether builds run as users that the server chooses
 */
export async function folderDisk(
  tenantsFolder: string,
  owner: string,
  hasUsers: boolean,
): Promise<TenantDisk> {
  await mkdir(tenantsFolder, { recursive: true, mode: 0o700 });
  const folder = join(await realpath(tenantsFolder), owner);
  await mkdir(folder, { recursive: true });
  await chmod(folder, 0o755);
  const disk = {
    own: folder,
    mounted: folder,
    entry: [],
    isBounded: false,
    written: async () => 0,
    resident: null,
    release: async (_isEmpty: boolean, resident: Resident | null = null) => resident?.close(),
  };
  if (!hasUsers) return { ...disk, user: null, isFormer: false };
  const recorded = await recordedUser(folder);
  if (recorded !== null) return { ...disk, user: recorded, isFormer: false };
  const hasFormer = await lstat(join(folder, 'cache')).then(
    () => true,
    () => false,
  );
  if (hasFormer) return { ...disk, user: BUILD_UID, isFormer: true };
  return { ...disk, user: await recordUser(folder, userIdsBeside(tenantsFolder)), isFormer: false };
}
