type Writable<T> = { -readonly [K in keyof T]: T[K] };

/**
 * The one way in which a transaction changes memory: each method makes a change and notes the step that takes it back.
 * What it changes is read-only to everyone else, so a change that is not noted does not compile.
 */
export class UndoLog {
  readonly #steps: (() => void)[] = [];
  /** What has a step of its own for all its later changes; made at the first of them, as most messages have none. */
  #covered: Set<object> | undefined;

  /** Notes a step that takes back what the caller is about to change itself. */
  note(step: () => void): void {
    this.#steps.push(step);
  }

  /** As `note`, once for `owner`; `makeStep` is called the first time only. */
  noteOnce(owner: object, makeStep: () => () => void): void {
    this.#covered ??= new Set();
    if (this.#covered.has(owner)) return;
    this.#covered.add(owner);
    this.note(makeStep());
  }

  /** Gives a field another value. */
  replace<T extends object, K extends keyof T>(target: T, field: K, value: T[K]): void {
    const writable: Writable<T> = target;
    const before = target[field];
    writable[field] = value;
    this.note(() => {
      writable[field] = before;
    });
  }

  set<K, V>(map: ReadonlyMap<K, V>, key: K, value: V): void {
    const before = map.get(key);
    const isNew = before === undefined && !map.has(key);
    writable(map).set(key, value);
    this.note(() => {
      if (isNew) writable(map).delete(key);
      else writable(map).set(key, before as V);
    });
  }

  /**
   * True when the key was there. The undone map has its entries in the same order as before, unless nobody reads them in order:
   * to note the order of texts takes time for each entry.
   */
  delete<K extends string | number, V>(map: ReadonlyMap<K, V>, key: K, keepsOrder = true): boolean {
    if (!map.has(key)) return false;
    if (keepsOrder) this.noteOnce(map, () => orderKeeper(map, key));
    const before = map.get(key) as V;
    writable(map).delete(key);
    this.note(() => writable(map).set(key, before));
    return true;
  }

  /** Adds what is not in the set. */
  add<T>(set: ReadonlySet<T>, value: T): void {
    if (set.has(value)) return;
    const target = set as Set<T>;
    target.add(value);
    this.note(() => target.delete(value));
  }

  /** Appends an entry to a list that others take entries from. */
  append<T>(list: T[], entry: T): void {
    list.push(entry);
    this.note(() => {
      const at = list.lastIndexOf(entry);
      if (at >= 0) list.splice(at, 1);
    });
  }

  /** Takes back every change, the last one first. */
  undo(): void {
    for (let step = this.#steps.pop(); step; step = this.#steps.pop()) step();
    this.#covered = undefined;
  }
}

function writable<K, V>(map: ReadonlyMap<K, V>): Map<K, V> {
  return map as Map<K, V>;
}

/**
 * The step that brings a map with the entries of now back into the order of now. Numbers are given out in ascending
 * order, so theirs needs no note, which would cost each message of a canister with many calls; other keys are noted once.
 */
function orderKeeper<K extends string | number, V>(map: ReadonlyMap<K, V>, key: K): () => void {
  const keys = typeof key === 'number' ? undefined : [...map.keys()];
  return () => {
    const order = keys ?? [...map.keys()].toSorted((a, b) => Number(a) - Number(b));
    for (const each of order) {
      const value = map.get(each) as V;
      writable(map).delete(each);
      writable(map).set(each, value);
    }
  };
}
