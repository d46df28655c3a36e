import { waitsForRound } from '../management/dispatch.ts';
import type { Queued } from '../state/message.ts';

/**
 * Calls that are carried out in a later round than they came in. Randomness must not exist before it is asked for, so
 * the replica draws it a round later, and canisters that ask again and again rely on time passing meanwhile. The calls
 * are still the first of their queue on disk, so a restart finds them there.
 */
export class NextRound {
  readonly #held: Queued[] = [];
  readonly #due = new WeakSet<Queued>();

  get isAwaited(): boolean {
    return this.#held.length > 0;
  }

  /** Whether the message has to wait; if so it is kept here. `onFirst` is called with the first one of a round. */
  hold(queued: Queued, onFirst: () => void): boolean {
    if (!waitsForRound(queued.message) || this.#due.has(queued)) return false;
    this.#held.push(queued);
    if (this.#held.length === 1) onFirst();
    return true;
  }

  /** The round has come: what was kept, in its order. */
  take(): readonly Queued[] {
    const held = this.#held.splice(0);
    for (const queued of held) this.#due.add(queued);
    return held;
  }
}
