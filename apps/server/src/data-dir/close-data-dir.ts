import { chmodSync, lstatSync, mkdirSync, readdirSync, readlinkSync, type Stats } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { StartError } from '../errors.ts';

/** Is in a data folder while a backup is being brought back into it. */
export const UNFINISHED_RESTORE = 'restore.unfinished';

/** Everything that is not the owner's. */
const OTHERS = 0o077;
const WORLD_WRITABLE = 0o002;
/** In such a folder only the owner of an entry may rename or remove it, as in /tmp. */
const STICKY = 0o1000;
const ROOT = 0;

/**
 * Makes the data folder, or takes the one that is there, so that this user alone can read and change it: secrets, the
 * server's identity and the database are below. Loose modes are tightened. What belongs to another user, or what others could put
 * instead of it, is refused. The same goes for the folder of the repositories, which may be elsewhere.
 * @throws StartError with what to do
 */
export function closeDataDir(dataDir: string, setting: 'DATA_DIR' | 'REPOSITORIES_DIR' = 'DATA_DIR'): void {
  const me = process.geteuid?.();
  // Windows has other rights, and none of these.
  if (me === undefined) {
    mkdirSync(dataDir, { recursive: true });
    return;
  }
  makeFolder(dataDir, setting);
  refuseUnsafeWay(resolve(dataDir), { me, setting });
  const found = lstatSync(`${dataDir}/.`);
  refuseForeign(dataDir, found, { me, setting });
  tighten(dataDir, found);
  for (const name of readdirSync(dataDir)) {
    if (name === UNFINISHED_RESTORE) {
      throw new StartError(
        `A restore into ${dataDir} was cut off. Empty the folder and run npm run restore again.`,
      );
    }
    const path = join(dataDir, name);
    const entry = lstatSync(path, { throwIfNoEntry: false });
    // A lock of another server that is just being removed.
    if (entry === undefined) continue;
    refuseForeign(path, entry, { me, setting });
    if (!entry.isSymbolicLink()) tighten(path, entry);
  }
}

/** Who this process is, and the setting that names the folder. */
interface Mine {
  readonly me: number;
  readonly setting: string;
}

function makeFolder(dataDir: string, setting: string): void {
  try {
    mkdirSync(dataDir, { recursive: true, mode: 0o700 });
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new StartError(`${setting} ${dataDir} cannot be made: ${reason}.`, { cause: error });
  }
}

function refuseForeign(path: string, { uid }: Stats, { me, setting }: Mine): void {
  if (uid === me) return;
  throw new StartError(
    `${path} belongs to another user (${uid}; Cannery runs as ${me}). Give it to that user with chown, or set ${setting} to another folder.`,
  );
}

function tighten(path: string, { mode }: Stats): void {
  if ((mode & OTHERS) !== 0) chmodSync(path, mode & 0o7777 & ~OTHERS);
}

/** Looks at each folder above, and at each link on the way: whoever can write there can put another folder instead of ours. */
function refuseUnsafeWay(path: string, mine: Mine, links = 0): void {
  const { me, setting } = mine;
  // As many as Linux follows.
  if (links > 40) throw new StartError(`${setting} ${path} has too many links on its way.`);
  const parent = dirname(path);
  if (parent === path) return;
  const above = lstatSync(parent);
  if (above.isDirectory() && (above.mode & WORLD_WRITABLE) !== 0) {
    if ((above.mode & STICKY) === 0) {
      throw new StartError(
        `Everybody can write in ${parent}, and so exchange ${path} below it. Set ${setting} to a folder elsewhere, or take that right away (chmod o-w ${parent}).`,
      );
    }
    const { uid } = lstatSync(path);
    if (uid !== me && uid !== ROOT) {
      throw new StartError(
        `${path} belongs to another user (${uid}; Cannery runs as ${me}), in a folder where everybody can write. Set ${setting} to another folder.`,
      );
    }
  }
  const found = lstatSync(path);
  if (found.isSymbolicLink()) refuseUnsafeWay(resolve(parent, readlinkSync(path)), mine, links + 1);
  refuseUnsafeWay(parent, mine, links);
}
