import type { PageStore } from '../../execution/run/code-cache.ts';
import { STORE_PAGE_BYTES } from '@cannery/ic/limits';
import type { StateBatch, StateStore } from '../../state/state-store.ts';
import type { DurableStore } from '@cannery/store/durable-store';
import { StoreDamagedError } from '@cannery/store/files/errors';

/** Where a view reads what has not changed. */
interface ViewedPages {
  readPages(space: string, first: number, count: number): Uint8Array;
  spaceSize(space: string): number;
}

/** Bytes a view keeps of pages that were overwritten; one that would need more is broken. */
const MOST_KEPT_BYTES = 256 * 1024 * 1024;

interface Watched {
  readonly pages: number;
  /** What pages held that were overwritten since. */
  readonly kept: Map<number, Uint8Array>;
}

/**
 * Page spaces as they were when they were first looked at, while commits go on changing them: a page is saved before
 * it is overwritten for the first time. A view is broken, for good, when a space it watches is dropped or shrinks.
 */
export class ReadView {
  readonly #store: ViewedPages;
  readonly #spaces = new Map<string, Watched>();
  #keptBytes = 0;
  #broken = false;

  constructor(store: ViewedPages) {
    this.#store = store;
  }

  get broken(): boolean {
    return this.#broken;
  }

  watch(space: string): void {
    if (!this.#spaces.has(space))
      this.#spaces.set(space, { pages: this.#store.spaceSize(space), kept: new Map() });
  }

  spaceSize(space: string): number {
    return this.#spaces.get(space)?.pages ?? this.#store.spaceSize(space);
  }

  /** Consecutive pages in one new array. */
  readPages(space: string, first: number, count: number): Uint8Array {
    const bytes = this.#store.readPages(space, first, count);
    const kept = this.#spaces.get(space)?.kept;
    if (!kept || kept.size === 0) return bytes;
    for (let index = first; index < first + count; index++) {
      const page = kept.get(index);
      if (page) bytes.set(page, (index - first) * STORE_PAGE_BYTES);
    }
    return bytes;
  }

  /** Must see every batch before it is committed. */
  beforeCommit({ pages, sizes, dropSpaces, copySpaces }: StateBatch): void {
    if (this.#broken) return;
    const replaced = [...dropSpaces, ...copySpaces.map(({ to }) => to)];
    const shrunk = sizes.filter(({ space, pages: size }) => size < (this.#spaces.get(space)?.pages ?? 0));
    if (shrunk.length > 0 || replaced.some((space) => this.#spaces.has(space))) this.#break();
    for (const { space, index } of pages) this.#keep(space, index);
  }

  #keep(space: string, index: number): void {
    const watched = this.#spaces.get(space);
    if (!watched || watched.kept.has(index)) return;
    const page = this.#whole(space, index);
    if (!page) return this.#break();
    watched.kept.set(index, page);
    this.#keptBytes += STORE_PAGE_BYTES;
    if (this.#keptBytes > MOST_KEPT_BYTES) this.#break();
  }

  /** Nothing where the page is damaged: then there is nothing to go on showing. */
  #whole(space: string, index: number): Uint8Array | undefined {
    try {
      return this.#store.readPages(space, index, 1);
    } catch (error) {
      if (error instanceof StoreDamagedError) return undefined;
      throw error;
    }
  }

  #break(): void {
    this.#broken = true;
    this.#spaces.clear();
  }
}

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
