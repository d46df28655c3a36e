/** Who waits in it begins in order, a few in each turn of the event loop, so that others have a turn between them. */
export class LoopLine<T> {
  readonly #most: number;
  readonly #begin: (item: T) => void;
  readonly #line = new Set<T>();
  #isTurnComing = false;

  /**
   * @param most how many begin in one turn
   * @param begin must not throw; may add the same one again, which then is the last
   */
  constructor(most: number, begin: (item: T) => void) {
    this.#most = most;
    this.#begin = begin;
  }

  /** Puts it at the end of the line, unless it stands there already. */
  add(item: T): void {
    this.#line.add(item);
    if (this.#isTurnComing) return;
    this.#isTurnComing = true;
    setImmediate(() => this.#takeTurn());
  }

  delete(item: T): void {
    this.#line.delete(item);
  }

  #takeTurn(): void {
    this.#isTurnComing = false;
    let left = this.#most;
    for (const item of this.#line) {
      if (left === 0) break;
      left -= 1;
      this.#line.delete(item);
      // One that goes to the end of the line is found there again.
      this.#begin(item);
    }
    const [first] = this.#line;
    if (first !== undefined) this.add(first);
  }
}

/** A line of those who wait for a promise: the function it returns resolves when it is the caller's turn. */
export function turnsOf(most: number): () => Promise<void> {
  const line = new LoopLine<() => void>(most, (resolve) => resolve());
  return () => new Promise((resolve) => line.add(resolve));
}

/** Bytes from which reading a request may take milliseconds: 12,000 values, each of which is hashed, need 12 kB. */
const LARGE_BYTES = 4 * 1024;

const turn = turnsOf(1);

/**
 * Lets a large request wait for its turn: one is read in a turn of the event loop, so that thirty that arrive at the same moment are
 * not read at a stretch (each takes up to ten milliseconds). A small one goes on at once.
 */
export async function largeTurn(bytes: number): Promise<void> {
  if (bytes >= LARGE_BYTES) await turn();
}
