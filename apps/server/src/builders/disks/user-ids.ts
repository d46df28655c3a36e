import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/** What an id is for: a disk that builds take, or the folder of a tenant where there are no disks. */
export type IdHolder = 'disk' | 'folder';

interface IdRange {
  readonly first: number;
  readonly count: number;
}

/** Between what systemd gives to services (up to 65,519) and what `useradd` gives to containers of users (from 100,000). */
const USUAL: IdRange = { first: 70_000, count: 10_000 };
/** In a container that knows 65,536 ids: behind the one id that builds had before (BUILD_UID). */
const SMALL: IdRange = { first: 61_971, count: 2_000 };

/** Whether the machine, or the container, knows all ids of a range (user_namespaces(7)). */
function isKnown({ first, count }: IdRange, map: string): boolean {
  return map.split('\n').some((line) => {
    const [inside = NaN, , length = NaN] = line.trim().split(/\s+/).map(Number);
    return inside <= first && first + count <= inside + length;
  });
}

/**
 * Ids of users that builds run as, where the server is root. Each is recorded by a file before it is used, so that no two
 * disks, and no two tenants, ever have the same one.
 */
export class UserIds {
  readonly #folder: string;

  /** @param folder folder of the server's for the records */
  constructor(folder: string) {
    this.#folder = folder;
  }

  /** Takes an id that nothing has; null when all are taken. */
  async claim(holder: IdHolder): Promise<number | null> {
    await mkdir(this.#folder, { recursive: true, mode: 0o700 });
    const map = await readFile('/proc/self/uid_map', 'latin1');
    const { first, count } = isKnown(USUAL, map) ? USUAL : SMALL;
    const taken = new Set(await readdir(this.#folder));
    for (let id = first; id < first + count; id += 1) {
      if (taken.has(String(id))) continue;
      try {
        await writeFile(join(this.#folder, String(id)), holder, { flag: 'wx', mode: 0o600 });
        return id;
      } catch (error) {
        // Taken since.
        if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
      }
    }
    return null;
  }

  /** Gives an id back whose files are gone. */
  async release(id: number): Promise<void> {
    await rm(join(this.#folder, String(id)), { force: true });
  }

  /** Gives back those of disks that are not there: a server may have died between the record and the disk. */
  async keepDisks(ids: ReadonlySet<number>): Promise<void> {
    for (const name of await readdir(this.#folder).catch(() => [])) {
      const holder = await readFile(join(this.#folder, name), 'latin1').catch(() => '');
      if (holder === 'disk' && !ids.has(Number(name))) await this.release(Number(name));
    }
  }
}
