import type { PageStore } from '../../execution/run/code-cache.ts';
import type { StateBatch, StateStore } from '../../state/state-store.ts';
import type { DurableStore } from '../../store/durable-store.ts';
import { ReadView } from './read-view.ts';

/** The durable store, with views that keep showing what commits change. */
export class ViewedStore implements StateStore, PageStore {
  readonly #store: DurableStore;
  readonly #views = new Set<ReadView>();

  constructor(store: DurableStore) {
    this.#store = store;
  }

  openView(): ReadView {
    const view = new ReadView(this.#store);
    this.#views.add(view);
    return view;
  }

  closeView(view: ReadView): void {
    this.#views.delete(view);
  }

  commit(batch: StateBatch): number {
    for (const view of this.#views) view.beforeCommit(batch);
    return this.#store.commit(batch);
  }

  get(key: string): Uint8Array | undefined {
    return this.#store.get(key);
  }

  keys(prefix: string): Iterable<string> {
    return this.#store.keys(prefix);
  }

  getBlob(hash: string): Uint8Array | undefined {
    return this.#store.getBlob(hash);
  }

  putBlob(bytes: Uint8Array): string {
    return this.#store.putBlob(bytes);
  }

  readPages(space: string, first: number, count: number): Uint8Array {
    return this.#store.readPages(space, first, count);
  }

  readSpace(space: string, into: (index: number, bytes: Uint8Array) => void): void {
    this.#store.readSpace(space, into);
  }
}
