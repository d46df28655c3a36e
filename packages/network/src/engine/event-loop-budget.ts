import { setImmediate as nextTurn } from 'node:timers/promises';

/** Longest time work of one kind may keep a turn of the event loop, in milliseconds. */
const TURN_MS = 10;

/** Lets work that arrives in a bunch make room for other work between its pieces. */
export class EventLoopBudget {
  #began: number | undefined;

  /** Whether the piece at hand has to wait for `next`. */
  get isOver(): boolean {
    const now = performance.now();
    if (this.#began === undefined) {
      this.#began = now;
      setImmediate(() => {
        this.#began = undefined;
      });
    }
    return now - this.#began > TURN_MS;
  }

  /** Resolves in a turn with time left. */
  async next(): Promise<void> {
    while (this.isOver) await nextTurn();
  }
}
