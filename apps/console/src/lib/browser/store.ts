import { useSyncExternalStore } from 'react';

/** Who wants to know when something changes. */
export class Listeners {
  readonly #all = new Set<() => void>();

  /** How many there are. */
  get size(): number {
    return this.#all.size;
  }

  /** @returns what ends it */
  readonly subscribe = (listener: () => void): (() => void) => {
    this.#all.add(listener);
    return () => this.#all.delete(listener);
  };

  readonly tell = (): void => {
    for (const listener of this.#all) listener();
  };
}

/** A value that parts of a page share and watch. */
export class Store<State> {
  #state: State;
  readonly #listeners = new Listeners();

  constructor(initial: State) {
    this.#state = initial;
  }

  readonly subscribe = this.#listeners.subscribe;

  readonly get = (): State => this.#state;

  readonly set = (next: State): void => {
    this.#state = next;
    this.#listeners.tell();
  };
}

interface Watched<State> {
  readonly subscribe: (listener: () => void) => () => void;
  readonly get: () => State;
}

/** The value of a store, re-rendering when it changes. */
export function useStore<State>({ subscribe, get }: Watched<State>): State {
  return useSyncExternalStore(subscribe, get);
}
