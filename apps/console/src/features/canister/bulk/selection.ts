import { Store } from '../../../lib/browser/store.ts';

/** Rows of a list that are selected, by their ids, and the last one that was. */
export class Selection {
  readonly #ids = new Store<ReadonlySet<string>>(new Set());
  /** Where a range begins. */
  #anchor: string | undefined;

  readonly subscribe = this.#ids.subscribe;

  readonly get = this.#ids.get;

  has(id: string): boolean {
    return this.get().has(id);
  }

  /**
   * Selects a row, or takes it out; with `range` all rows from the last one that was changed to this one.
   * @param order ids of the rows on show, from top to bottom
   */
  set(id: string, on: boolean, { range, order }: { range: boolean; order: readonly string[] }): void {
    const from = this.#anchor === undefined ? -1 : order.indexOf(this.#anchor);
    const to = order.indexOf(id);
    const ids =
      range && from >= 0 && to >= 0 ? order.slice(Math.min(from, to), Math.max(from, to) + 1) : [id];
    this.#anchor = id;
    const next = new Set(this.get());
    for (const each of ids) {
      if (on) next.add(each);
      else next.delete(each);
    }
    this.#ids.set(next);
  }

  /** Selects exactly these. */
  replace(ids: readonly string[]): void {
    this.#anchor = undefined;
    if (ids.length > 0 || this.get().size > 0) this.#ids.set(new Set(ids));
  }
}

/** Of the list of canisters. */
export const canisterSelection = new Selection();
