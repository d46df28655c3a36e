import { chmod, lstat, mkdir, readFile, realpath, rename, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { BuildError } from '../build-error.ts';
import { BUILD_UID } from '../process/build-user.ts';
import type { BuildPlace } from '../sandbox/sandbox.ts';
import type { AskFolder } from '../tenant/folder-client.ts';
import { UserIds } from './user-ids.ts';

/** A folder program that a build has left on a disk for the next one. */
export interface Resident {
  /** Whether it still waits for requests. */
  readonly isIdle: boolean;
  readonly ask: AskFolder;
  close(): Promise<void>;
}

/** Where the folders of a tenant are while a build of it runs: `cache`, `packages` and `builds`, below one folder of the server's. */
export interface TenantDisk extends BuildPlace {
  /** The folder as this process finds it. */
  readonly own: string;
  /** The folder as programs find it that are started with `entry`. */
  readonly mounted: string;
  /** Whether the kernel bounds what can be written to it. */
  readonly isBounded: boolean;
  /** Whether what is in it belongs to the one user of all builds, as before there was one for each. */
  readonly isFormer: boolean;
  /** Null where none was left. */
  readonly resident: Resident | null;
  /** Bytes of the machine's disk that it has taken since the build has it; 0 where nobody can tell at once. */
  written(): Promise<number>;
  /**
   * Ends the use of it by a build.
   * @param isEmpty whether nothing of the build is left in it
   * @param resident the folder program, where it may stay for the next build; else it is ended
   */
  release(isEmpty: boolean, resident?: Resident | null): Promise<void>;
}

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
