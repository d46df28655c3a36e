import { setTimeout as sleep } from 'node:timers/promises';

/** For how long an answer is given again, in milliseconds. */
const FRESH_MILLIS = 1_000;
/** The least time from one question to the next, in milliseconds: at most ten in a second, however many ask. */
const APART_MILLIS = 100;
/** Questions that wait for their turn; the last of them waits for two seconds. */
const MOST_WAITING = 20;
/** Answers that are kept. */
const MOST_KEPT = 64;

interface Kept<T> {
  readonly answer: Promise<T>;
  /** When it came; undefined while it is awaited. */
  at: number | undefined;
}

/** Asks on behalf of many at a pace that does not depend on how many they are: who asks the same gets the same answer. */
export class Looks<T> {
  readonly #kept = new Map<string, Kept<T>>();
  readonly #now: () => number;
  #last: Promise<unknown> = Promise.resolve();
  #waiting = 0;

  /** `now`: a clock in milliseconds that runs evenly. */
  constructor(now: () => number = () => performance.now()) {
    this.#now = now;
  }

  /** The answer to `look`, which `key` names; undefined when too many others wait. Rejects as `look` does. */
  async ask(key: string, look: () => Promise<T>): Promise<T | undefined> {
    const known = this.#kept.get(key);
    if (known && (known.at === undefined || this.#now() - known.at < FRESH_MILLIS)) return known.answer;
    if (this.#waiting >= MOST_WAITING) return undefined;
    this.#waiting += 1;
    const answer = this.#last.then(look).finally(() => {
      this.#waiting -= 1;
    });
    this.#last = answer.catch(() => undefined).then(() => sleep(APART_MILLIS, undefined, { ref: false }));
    const kept: Kept<T> = { answer, at: undefined };
    this.#keep(key, kept);
    try {
      return await answer;
    } finally {
      kept.at = this.#now();
    }
  }

  #keep(key: string, kept: Kept<T>): void {
    this.#kept.delete(key);
    this.#kept.set(key, kept);
    const oldest = this.#kept.keys().next().value;
    if (this.#kept.size > MOST_KEPT && oldest !== undefined) this.#kept.delete(oldest);
  }
}
