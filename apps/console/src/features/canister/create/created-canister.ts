import { useSyncExternalStore } from 'react';

/** The canister that was created last, until what to do with it next is chosen or waved away. */
class CreatedCanister {
  #id: string | undefined;
  readonly #listeners = new Set<() => void>();

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  readonly id = (): string | undefined => this.#id;

  readonly set = (id: string | undefined): void => {
    this.#id = id;
    for (const listener of this.#listeners) listener();
  };
}

/** A canister is created from the list and from the palette; the list tells what comes next. */
export const createdCanister = new CreatedCanister();

export function useCreatedCanister(): string | undefined {
  return useSyncExternalStore(createdCanister.subscribe, createdCanister.id);
}
