/** Messages that one round carries out; the rest waits for the next one. */
const MOST_MESSAGES = 10_000;

/** Whether messages are carried out now: always, but on an engine whose rounds are asked for one by one. */
export class Rounds {
  #left: number;

  constructor(steps: boolean) {
    this.#left = steps ? 0 : Number.POSITIVE_INFINITY;
  }

  get isOpen(): boolean {
    return this.#left > 0;
  }

  /** Nobody needs to ask for rounds. */
  get isFree(): boolean {
    return this.#left === Number.POSITIVE_INFINITY;
  }

  /** Whether one more message may be carried out; it is counted. */
  take(): boolean {
    if (this.#left <= 0) return false;
    this.#left -= 1;
    return true;
  }

  /** A round begins. */
  open(): void {
    this.#left = MOST_MESSAGES;
  }

  /** From now on there are no bounds. */
  free(): void {
    this.#left = Number.POSITIVE_INFINITY;
  }

  close(): void {
    this.#left = 0;
  }
}
