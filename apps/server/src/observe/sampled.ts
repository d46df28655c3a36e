/** How long a value may take to be read by itself, in milliseconds. */
const PATIENCE_MS = 1_500;

/** A value that is read now and then, however often it is asked for, and never twice at once. */
export class Sampled<T> {
  readonly #everyMs: number;
  readonly #read: () => Promise<T>;
  readonly #patienceMs: number;
  #value: T | undefined;
  #readAt = Number.NEGATIVE_INFINITY;
  #reading: Promise<void> | undefined;

  /**
   * @param everyMs for so long a value is used again, in milliseconds
   * @param patienceMs for so long whoever asks waits, in milliseconds
   */
  constructor(everyMs: number, read: () => Promise<T>, patienceMs = PATIENCE_MS) {
    this.#patienceMs = patienceMs;
    this.#everyMs = everyMs;
    this.#read = read;
  }

  /** @returns undefined when it could not be read the last time, or has not been read in time */
  async get(): Promise<T | undefined> {
    if (performance.now() - this.#readAt < this.#everyMs) return this.#value;
    this.#reading ??= this.#readNow();
    const { promise, resolve } = Promise.withResolvers<void>();
    const timer = setTimeout(resolve, this.#patienceMs);
    await Promise.race([this.#reading, promise]);
    clearTimeout(timer);
    return this.#reading === undefined ? this.#value : undefined;
  }

  async #readNow(): Promise<void> {
    this.#value = await this.#read().catch(() => undefined);
    this.#readAt = performance.now();
    this.#reading = undefined;
  }
}
