import type { StateBatch, StateStore } from '../../src/state/state-store.ts';

/** A store of the small state that keeps nothing on disk; pages are dropped. */
export class MemoryStore implements StateStore {
  readonly #values = new Map<string, Uint8Array>();
  #sequence = 0;

  get(key: string): Uint8Array | undefined {
    return this.#values.get(key);
  }

  keys(prefix: string): string[] {
    return [...this.#values.keys()].filter((key) => key.startsWith(prefix)).toSorted();
  }

  getBlob(): undefined {
    return undefined;
  }

  putBlob(): string {
    return '';
  }

  readPages(): Uint8Array {
    return new Uint8Array(0);
  }

  commit({ puts, deletes }: StateBatch): number {
    for (const [key, value] of puts) this.#values.set(key, value);
    for (const key of deletes) this.#values.delete(key);
    return (this.#sequence += 1);
  }
}
