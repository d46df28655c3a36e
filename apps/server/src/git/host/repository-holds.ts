import { setTimeout as delay } from 'node:timers/promises';

interface Hold {
  readers: number;
  /** Ends when the one who moves or removes the repository is done; undefined while there is none. */
  moving: Promise<void> | undefined;
  /** Tells the one who waits to move it that the last reader has ended. */
  onIdle: (() => void) | undefined;
}

/** Keeps a repository where it is while a build reads it. Readers do not wait for each other. */
export class RepositoryHolds {
  readonly #holds = new Map<string, Hold>();

  #of(folder: string): Hold {
    const hold = this.#holds.get(folder) ?? { readers: 0, moving: undefined, onIdle: undefined };
    this.#holds.set(folder, hold);
    return hold;
  }

  #forget(folder: string, hold: Hold): void {
    if (hold.readers === 0 && hold.moving === undefined) this.#holds.delete(folder);
  }

  /**
   * Reads a repository, which stays where it is meanwhile.
   * @param find says where it is; called again when somebody was about to move it
   * @throws what `find` and `work` throw
   */
  async read<R extends { readonly gitDir: string }, T>(
    find: () => Promise<R>,
    work: (found: R) => Promise<T>,
  ): Promise<T> {
    for (;;) {
      const found = await find();
      const hold = this.#of(found.gitDir);
      if (hold.moving !== undefined) {
        await hold.moving;
        continue;
      }
      hold.readers += 1;
      try {
        // It may have been moved between the look and the hold.
        if ((await find()).gitDir !== found.gitDir) continue;
        return await work(found);
      } finally {
        hold.readers -= 1;
        if (hold.readers === 0) hold.onIdle?.();
        this.#forget(found.gitDir, hold);
      }
    }
  }

  /**
   * Moves or removes a repository when nobody reads it; those who want to read it wait.
   * @param patienceMs how long it waits for readers
   * @returns what `work` answers, null when the readers did not end in time or somebody else is moving it
   */
  async move<T>(folder: string, patienceMs: number, work: () => Promise<T>): Promise<{ done: T } | null> {
    const hold = this.#of(folder);
    if (hold.moving !== undefined) return null;
    const moved = Promise.withResolvers<void>();
    hold.moving = moved.promise;
    try {
      if (hold.readers > 0) {
        const idle = Promise.withResolvers<void>();
        hold.onIdle = idle.resolve;
        await Promise.race([idle.promise, delay(patienceMs, undefined, { ref: false })]);
        hold.onIdle = undefined;
        if (hold.readers > 0) return null;
      }
      return { done: await work() };
    } finally {
      hold.moving = undefined;
      moved.resolve();
      this.#forget(folder, hold);
    }
  }
}
