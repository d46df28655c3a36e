import { closeSync, constants, fstatSync, lstatSync, openSync, readdirSync, type Stats } from 'node:fs';

/** How much a folder holds, as far as it was counted. */
export interface FolderSize {
  readonly bytes: number;
  /** Files and folders. */
  readonly entries: number;
  /** Whether a part could not be counted: a folder that may not be read, or too many in one another. */
  readonly isHidden: boolean;
}

const BLOCK_BYTES = 512;
/** Folders in one another; each is open while what is in it is counted. No project has a tenth of them. */
const MOST_DEPTH = 500;
/** Files of several names that are remembered, so as to count each once; beyond them a file counts by each name. */
const MOST_REMEMBERED = 200_000;

/** Never a link, wherever another process may put one meanwhile. */
const FOLDER_ONLY = constants.O_RDONLY | constants.O_DIRECTORY | constants.O_NOFOLLOW;

/**
 * Counts what is below a folder, and ends beyond a bound. It walks by open folders, not by paths: no path is too long, and
 * nothing outside is reached however a build moves its folders meanwhile (Linux).
 */
export function walkFolder(folder: string, most: { bytes: number; entries: number }): FolderSize {
  let bytes = 0;
  let entries = 0;
  let isHidden = false;
  const remembered = new Set<number>();
  const walk = (path: string | Buffer, depth: number): void => {
    let open: number;
    try {
      open = openSync(path, FOLDER_ONLY);
    } catch (error) {
      // What is removed meanwhile is not there.
      if ((error as NodeJS.ErrnoException).code === 'EACCES') isHidden = true;
      return;
    }
    try {
      const { dev } = fstatSync(open);
      const within = `/proc/self/fd/${open}`;
      for (const name of readdirSync(within, { encoding: 'buffer' })) {
        if (bytes > most.bytes || entries > most.entries) return;
        entries += 1;
        const entry = Buffer.concat([Buffer.from(`${within}/`), name]);
        const found = statOf(entry);
        if (found === null || found.dev !== dev) continue;
        const isKnown = found.nlink > 1 && !found.isDirectory() && remembered.has(found.ino);
        if (!isKnown) bytes += found.blocks * BLOCK_BYTES;
        if (found.nlink > 1 && remembered.size < MOST_REMEMBERED) remembered.add(found.ino);
        if (!found.isDirectory()) continue;
        if (depth >= MOST_DEPTH) isHidden = true;
        else walk(entry, depth + 1);
      }
    } finally {
      closeSync(open);
    }
  };
  walk(folder, 0);
  return { bytes, entries, isHidden };
}

function statOf(path: Buffer): Stats | null {
  try {
    return lstatSync(path);
  } catch {
    return null;
  }
}
