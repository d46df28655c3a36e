import { Store } from '../browser/store.ts';

/** A call that was to change something and got no answer. */
export interface LostWrite {
  /** Which of those of this page it is, from 1 on. */
  readonly number: number;
  /** Whether made again it is done once more, if it was done: nobody knows. */
  readonly mayRepeat: boolean;
}

/** The last call of this page that was to change something and got no answer; the transport tells of each. */
class LostWrites {
  readonly #last = new Store<LostWrite>({ number: 0, mayRepeat: false });

  readonly subscribe = this.#last.subscribe;
  readonly get = this.#last.get;

  tell(mayRepeat: boolean): void {
    this.#last.set({ number: this.get().number + 1, mayRepeat });
  }
}

export const lostWrites = new LostWrites();
