/**
 * A map that keeps the entries used last: at least half of `most`, at most all of it. Two generations, so that
 * forgetting costs nothing, however fast new keys come.
 */
export class RecentMap<T> {
  readonly #half: number;
  #young = new Map<string, T>();
  #old = new Map<string, T>();

  constructor(most: number) {
    this.#half = Math.ceil(most / 2);
  }

  /** The value of a key, which counts as used from now on. */
  get(key: string): T | undefined {
    const young = this.#young.get(key);
    if (young !== undefined) return young;
    const old = this.#old.get(key);
    if (old !== undefined) this.set(key, old);
    return old;
  }

  set(key: string, value: T): void {
    if (!this.#young.has(key) && this.#young.size >= this.#half) {
      this.#old = this.#young;
      this.#young = new Map();
    }
    this.#young.set(key, value);
  }

  delete(key: string): void {
    this.#young.delete(key);
    this.#old.delete(key);
  }
}
