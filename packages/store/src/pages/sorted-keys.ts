/** Keys in ascending order of their UTF-16 code units, to find those with a prefix without looking at all. */
export class SortedKeys {
  readonly #keys: readonly string[];

  constructor(keys: Iterable<string>) {
    this.#keys = [...keys].toSorted();
  }

  withPrefix(prefix: string): readonly string[] {
    const start = this.#firstFrom(prefix);
    let end = start;
    while (this.#keys[end]?.startsWith(prefix) === true) end += 1;
    return this.#keys.slice(start, end);
  }

  #firstFrom(key: string): number {
    let low = 0;
    let high = this.#keys.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((this.#keys[middle] ?? '') < key) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}
