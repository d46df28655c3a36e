/**
 * Passes things on at once, and then not again for a while: what comes meanwhile is passed on when that is over, each thing once. So
 * whoever makes things come without end makes little of it for those who get them.
 */
export class NowAndThen {
  readonly #pauseMs: number;
  readonly #pass: (thing: string) => void;
  readonly #waiting = new Set<string>();
  #timer: NodeJS.Timeout | undefined;

  /** @param pauseMs how long nothing is passed on after something was, in milliseconds */
  constructor(pauseMs: number, pass: (thing: string) => void) {
    this.#pauseMs = pauseMs;
    this.#pass = pass;
  }

  add(thing: string): void {
    this.#waiting.add(thing);
    if (this.#timer === undefined) this.#passAll();
  }

  /** What waits is forgotten. */
  stop(): void {
    clearTimeout(this.#timer);
    this.#waiting.clear();
  }

  #passAll(): void {
    this.#timer = undefined;
    if (this.#waiting.size === 0) return;
    this.#timer = setTimeout(() => this.#passAll(), this.#pauseMs);
    const all = [...this.#waiting];
    this.#waiting.clear();
    for (const thing of all) this.#pass(thing);
  }
}
