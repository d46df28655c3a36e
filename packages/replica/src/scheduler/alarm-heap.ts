export interface Timed {
  readonly atNanos: bigint;
}

/** Entries of which the earliest is at hand; adding one and taking one cost the logarithm of their number. */
export class AlarmHeap<T extends Timed> {
  #entries: T[] = [];

  get size(): number {
    return this.#entries.length;
  }

  get first(): T | undefined {
    return this.#entries[0];
  }

  add(entry: T): void {
    const entries = this.#entries;
    let at = entries.length;
    entries.push(entry);
    while (at > 0) {
      const above = (at - 1) >> 1;
      const parent = entries[above];
      if (!parent || parent.atNanos <= entry.atNanos) break;
      entries[at] = parent;
      at = above;
    }
    entries[at] = entry;
  }

  /** Takes the earliest entry out. */
  take(): T | undefined {
    const first = this.#entries[0];
    const last = this.#entries.pop();
    if (last && this.#entries.length > 0) this.#sink(last);
    return first;
  }

  /** Keeps only these entries. */
  keep(entries: Iterable<T>): void {
    this.#entries = [...entries].toSorted((a, b) => (a.atNanos < b.atNanos ? -1 : 1));
  }

  /** Finds the place for an entry that stands at the top. */
  #sink(entry: T): void {
    const entries = this.#entries;
    let at = 0;
    for (;;) {
      const left = entries[2 * at + 1];
      const right = entries[2 * at + 2];
      const [child, place] =
        right && left && right.atNanos < left.atNanos ? [right, 2 * at + 2] : [left, 2 * at + 1];
      if (!child || child.atNanos >= entry.atNanos) break;
      entries[at] = child;
      at = place;
    }
    entries[at] = entry;
  }
}
