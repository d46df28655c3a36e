import { RecentMap } from '../../fairness/recent-map.ts';

/** How long a list is given out again, in milliseconds: what changes it here is told; the rest is an operator's hand. */
const FRESH_MS = 1_000;
/** Lists that are kept. */
const MOST_LISTS = 1_000;

interface Recent<T> {
  readonly list: Promise<T>;
  /** When it was asked for, in milliseconds. */
  readonly at: number;
}

/** Lists that take hundreds of looks at the disk, by whose it is: whoever asks in a loop gets the same one for a moment. */
export class RecentLists<T> {
  readonly #lists = new RecentMap<Recent<T>>(MOST_LISTS);
  readonly #now: () => number;
  readonly #freshMs: number;

  /** @param freshMs how long a list is given out again, in milliseconds */
  constructor(now: () => number = () => performance.now(), freshMs = FRESH_MS) {
    this.#now = now;
    this.#freshMs = freshMs;
  }

  /** The list of an owner, or the one that was made, or begun, a moment ago. @throws what `make` does */
  of(owner: string, make: () => Promise<T>): Promise<T> {
    const key = owner.toLowerCase();
    const recent = this.#lists.get(key);
    const at = this.#now();
    if (recent !== undefined && at - recent.at < this.#freshMs) return recent.list;
    const list = make();
    this.#lists.set(key, { list, at });
    // The next one tries again.
    list.catch(() => {
      if (this.#lists.get(key)?.list === list) this.#lists.delete(key);
    });
    return list;
  }

  /** To be called when something of the owner has changed. */
  forget(owner: string): void {
    this.#lists.delete(owner.toLowerCase());
  }
}
