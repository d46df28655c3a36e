import type { Resident } from './tenant-disk.ts';

/** How long a folder program waits for the next build of its tenant, in milliseconds: while somebody pushes again and again. */
const STAY_MS = 60_000;
/** Most that wait so; each has some 45 MB, most of them shared. */
const MOST = 2;

interface Waiting {
  readonly resident: Resident;
  readonly timer?: NodeJS.Timeout;
}

/** Folder programs that no build has, each on a mounted disk: a build that takes the disk need not start one. */
export class Residents<Key> {
  /** Who was left last is the last. */
  readonly #waiting = new Map<Key, Waiting>();

  has(key: Key): boolean {
    return this.#waiting.has(key);
  }

  /** Keeps one until it is taken or ended. */
  stay(key: Key, resident: Resident): void {
    this.#waiting.set(key, { resident });
  }

  /** Keeps one for a minute; those that were left before go where there are too many. */
  leave(key: Key, resident: Resident): void {
    const timer = setTimeout(() => void this.end(key), STAY_MS).unref();
    this.#waiting.set(key, { resident, timer });
    const left = [...this.#waiting].filter(([, waiting]) => waiting.timer !== undefined);
    for (const [old] of left.slice(0, -MOST)) void this.end(old);
  }

  /** Hands one over that still waits for requests. */
  take(key: Key): Resident | null {
    const found = this.#waiting.get(key);
    if (found === undefined) return null;
    this.#waiting.delete(key);
    clearTimeout(found.timer);
    if (found.resident.isIdle) return found.resident;
    void found.resident.close();
    return null;
  }

  /** Ends one, if there is one: nothing works on its disk afterwards. */
  async end(key: Key): Promise<void> {
    const found = this.#waiting.get(key);
    this.#waiting.delete(key);
    clearTimeout(found?.timer);
    await found?.resident.close();
  }
}
